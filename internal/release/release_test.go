// Package release tests the module as a user receives it: the zip that the module proxy serves.
package release

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	path    = "github.com/hitscan-go/hitscan"
	version = "v0.0.0" // that of the nested modules' requirements, whose builds serve this test
	// maxZip is the largest download, in bytes, that a game's build may cost. Without the nested
	// module docs it would be three times as large. Two fifths of it are tests.
	maxZip = 3_100_000
)

// The zip of the committed tree is small, and `go install` builds the examples from it through a
// file proxy, in an empty module cache.
func TestInstallFromProxy(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	clone := t.TempDir() // a worktree's .git is a file, which zip does not read
	out, err := exec.Command("git", "clone", "-q", "--depth", "1", "file://"+root, clone).CombinedOutput()
	require.NoError(t, err, "%s", out)
	proxy := t.TempDir()
	dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromVCS(archive, module.Version{Path: path, Version: version}, clone, "HEAD", ""))
	size, err := archive.Seek(0, 2)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	t.Logf("the module's zip has %d bytes", size)
	require.Less(t, size, int64(maxZip))

	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	require.NoError(t, err)
	for name, content := range map[string][]byte{"list": []byte(version + "\n"), version + ".mod": mod, version + ".info": info} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}

	// Dependencies come from what this machine has downloaded already. With trimmed paths they are
	// compiled once for all module caches.
	goenv, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	downloaded := filepath.Join(strings.TrimSpace(string(goenv)), "cache", "download")
	bin, cache := t.TempDir(), t.TempDir()
	env := append(os.Environ(), "GOPROXY=file://"+proxy+",file://"+downloaded, "GOSUMDB=off", "GOWORK=off",
		"GOFLAGS=-modcacherw -trimpath "+os.Getenv("GOFLAGS"), "GOMODCACHE="+cache, "GOBIN="+bin)
	for _, example := range []string{"quickstart", "sandbox"} {
		install := exec.Command("go", "install", path+"/examples/"+example+"@"+version)
		install.Env, install.Dir = env, proxy
		out, err := install.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	out, err = exec.Command(filepath.Join(bin, "quickstart")).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "hits the crate at 9 m")
}

// What Bullet takes for the pairs of shapes and the casts that collidebench -save writes, in collidebench's lines.
//   g++ -O3 -march=native bullet.cpp $(pkg-config --cflags --libs bullet) -o bullet
//   ./bullet out/poses.txt [mesh.obj out/casts.txt]
// Shapes have Bullet's own margins. A pair keeps its algorithm, as it would from frame to frame, and starts with no contact.
#include <btBulletCollisionCommon.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <time.h>
#include <vector>

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// What takes long is measured three times and what is short seven times, each time for a millisecond at least; the median counts.
template <class F> static double measure(F work) {
  double first = now();
  work();
  first = now() - first;
  int passes = std::max(1, int(1e-3 / std::max(first, 1e-7)));
  int runs = first > 0.1 ? 3 : 7;
  std::vector<double> took;
  for (int i = 0; i < runs; i++) {
    double start = now();
    for (int k = 0; k < passes; k++) work();
    took.push_back((now() - start) / passes);
  }
  std::sort(took.begin(), took.end());
  return took[runs / 2];
}

static btCollisionShape *shapeOf(const std::string &kind) {
  if (kind == "sphere") return new btSphereShape(0.5f);
  if (kind == "capsule") return new btCapsuleShape(0.3f, 0.8f);
  if (kind == "box") return new btBoxShape(btVector3(0.5f, 0.4f, 0.6f));
  const float golden = 1.6180339887498949f, scale = 0.5f / std::sqrt(3.0f);
  auto hull = new btConvexHullShape();
  for (int i = 0; i < 8; i++)
    hull->addPoint(btVector3((1 - 2 * (i & 1)) * scale, (1 - 2 * (i >> 1 & 1)) * scale, (1 - 2 * (i >> 2 & 1)) * scale));
  for (int i = 0; i < 4; i++) {
    float a = (1 - 2 * (i & 1)) * scale / golden, b = (1 - 2 * (i >> 1)) * scale * golden;
    hull->addPoint(btVector3(0, a, b));
    hull->addPoint(btVector3(a, b, 0));
    hull->addPoint(btVector3(b, 0, a));
  }
  hull->recalcLocalAabb();
  return hull;
}

struct Pair {
  std::string name;
  btCollisionObject a, b;
  btCollisionAlgorithm *algorithm;
  btPersistentManifold *manifold;
};

static void measurePairs(const char *file, btCollisionDispatcher &dispatcher, btDispatcherInfo &info) {
  std::map<std::string, btCollisionShape *> shapes;
  for (auto k : {"sphere", "capsule", "box", "hull"}) shapes[k] = shapeOf(k);
  std::vector<std::unique_ptr<Pair>> pairs;
  std::ifstream in(file);
  std::string a, b, state;
  while (in >> a >> b >> state) {
    auto p = std::make_unique<Pair>();
    p->name = a + "-" + b + "-" + state;
    btCollisionObject *objects[2] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
      float x, y, z, qx, qy, qz, qw;
      in >> x >> y >> z >> qx >> qy >> qz >> qw;
      objects[i]->setCollisionShape(shapes[i ? b : a]);
      objects[i]->setWorldTransform(btTransform(btQuaternion(qx, qy, qz, qw), btVector3(x, y, z)));
    }
    p->manifold = dispatcher.getNewManifold(&p->a, &p->b);
    btCollisionObjectWrapper wa(nullptr, p->a.getCollisionShape(), &p->a, p->a.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wb(nullptr, p->b.getCollisionShape(), &p->b, p->b.getWorldTransform(), -1, -1);
    p->algorithm = dispatcher.findAlgorithm(&wa, &wb, p->manifold, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldArray own; // that of boxes makes one for itself
    p->algorithm->getAllContactManifolds(own);
    if (own.size() > 0) p->manifold = own[0];
    pairs.push_back(std::move(p));
  }
  for (size_t from = 0; from < pairs.size();) {
    size_t to = from;
    while (to < pairs.size() && pairs[to]->name == pairs[from]->name) to++;
    int contacts = 0;
    double took = measure([&] {
      contacts = 0;
      for (size_t i = from; i < to; i++) {
        Pair &p = *pairs[i];
        p.manifold->clearManifold();
        btCollisionObjectWrapper wa(nullptr, p.a.getCollisionShape(), &p.a, p.a.getWorldTransform(), -1, -1);
        btCollisionObjectWrapper wb(nullptr, p.b.getCollisionShape(), &p.b, p.b.getWorldTransform(), -1, -1);
        btManifoldResult result(&wa, &wb);
        result.setPersistentManifold(p.manifold);
        p.algorithm->processCollision(&wa, &wb, info, &result);
        contacts += p.manifold->getNumContacts();
      }
    });
    printf("%s %.1f ns %.2f contacts\n", pairs[from]->name.c_str(), took * 1e9 / (to - from), double(contacts) / (to - from));
    from = to;
  }
}

static void measureCasts(const char *meshFile, const char *castFile) {
  std::vector<btVector3> vertices;
  std::vector<int> indices;
  std::ifstream obj(meshFile);
  for (std::string line; std::getline(obj, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "v") {
      float x, y, z;
      words >> x >> y >> z;
      vertices.push_back(btVector3(x, y, z));
    } else if (first == "f") {
      std::vector<int> face;
      for (std::string w; words >> w;) face.push_back(std::stoi(w) - 1);
      for (size_t i = 2; i < face.size(); i++) indices.insert(indices.end(), {face[0], face[i - 1], face[i]});
    }
  }
  btTriangleIndexVertexArray triangles(indices.size() / 3, indices.data(), 3 * sizeof(int), vertices.size(),
                                       vertices[0].m_floats, sizeof(btVector3));
  btBvhTriangleMeshShape mesh(&triangles, true);
  btCollisionObject object;
  object.setCollisionShape(&mesh);
  btVector3 low, high;
  mesh.getAabb(btTransform::getIdentity(), low, high);
  double diagonal = (high - low).length();

  struct Cast {
    std::string name;
    std::unique_ptr<btConvexShape> shape;
    btVector3 from, to;
  };
  std::vector<Cast> casts;
  std::ifstream in(castFile);
  std::string kind;
  float size, x, y, z, mx, my, mz;
  while (in >> kind >> size >> x >> y >> z >> mx >> my >> mz) {
    Cast c;
    char name[64];
    snprintf(name, sizeof name, "cast-%s-%g", kind.c_str(), std::round(size / diagonal * 1e4) / 1e4);
    c.name = name;
    if (kind == "sphere") c.shape.reset(new btSphereShape(size));
    if (kind == "capsule") c.shape.reset(new btCapsuleShape(size, 2 * size));
    if (kind == "box") c.shape.reset(new btBoxShape(btVector3(size, size, size)));
    c.from = btVector3(x, y, z);
    c.to = c.from + btVector3(mx, my, mz);
    casts.push_back(std::move(c));
  }
  for (size_t first = 0; first < casts.size();) {
    size_t last = first;
    while (last < casts.size() && casts[last].name == casts[first].name) last++;
    int hits = 0;
    double sum = 0;
    double took = measure([&] {
      hits = 0, sum = 0;
      for (size_t i = first; i < last; i++) {
        Cast &c = casts[i];
        btTransform from(btQuaternion::getIdentity(), c.from), to(btQuaternion::getIdentity(), c.to);
        btCollisionWorld::ClosestConvexResultCallback result(c.from, c.to);
        btCollisionWorld::objectQuerySingle(c.shape.get(), from, to, &object, &mesh, object.getWorldTransform(), result, 0);
        if (result.hasHit()) hits++, sum += result.m_closestHitFraction;
      }
    });
    printf("%s %.3f us %.4f hit %.5f mean_t\n", casts[first].name.c_str(), took * 1e6 / (last - first),
           double(hits) / (last - first), sum / std::max(1, hits));
    first = last;
  }
}

int main(int n, char **args) {
  if (n != 2 && n != 4) {
    fprintf(stderr, "usage: bullet POSES [MESH.obj CASTS]\n");
    return 2;
  }
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDispatcherInfo info;
  measurePairs(args[1], dispatcher, info);
  if (n == 4) measureCasts(args[2], args[3]);
}

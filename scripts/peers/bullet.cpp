// What Bullet takes for the pairs of shapes and the casts that collidebench -save writes, in collidebench's lines.
//   g++ -O3 -march=native bullet.cpp $(pkg-config --cflags --libs bullet) -o bullet
//   ./bullet pairs out/poses.txt out/ball.obj out/field.txt
//   ./bullet casts out/casts.txt mesh.obj
// Shapes have Bullet's own margins. A pair keeps its algorithm, as it would from frame to frame, and starts with no contact.
// Of two shapes neither of which is convex or a compound Bullet makes nothing, and nothing is printed.
#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
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

// What takes seconds is measured once, what takes long three times and what is short seven times, each time for a millisecond at
// least; the median counts.
template <class F> static double measure(F work) {
  double first = now();
  work();
  first = now() - first;
  int passes = std::max(1, int(1e-3 / std::max(first, 1e-7)));
  int runs = first > 2 ? 1 : first > 0.1 ? 3 : 7;
  std::vector<double> took;
  for (int i = 0; i < runs; i++) {
    double start = now();
    for (int k = 0; k < passes; k++) work();
    took.push_back((now() - start) / passes);
  }
  std::sort(took.begin(), took.end());
  return took[runs / 2];
}

// The hull of the twenty corners of a dodecahedron, so far from the middle, with a margin around it.
static btConvexHullShape *dodecahedron(float radius, float margin = CONVEX_DISTANCE_MARGIN) {
  const float golden = 1.6180339887498949f, scale = radius / std::sqrt(3.0f);
  auto hull = new btConvexHullShape();
  for (int i = 0; i < 8; i++)
    hull->addPoint(btVector3((1 - 2 * (i & 1)) * scale, (1 - 2 * (i >> 1 & 1)) * scale, (1 - 2 * (i >> 2 & 1)) * scale), false);
  for (int i = 0; i < 4; i++) {
    float a = (1 - 2 * (i & 1)) * scale / golden, b = (1 - 2 * (i >> 1)) * scale * golden;
    hull->addPoint(btVector3(0, a, b), false);
    hull->addPoint(btVector3(a, b, 0), false);
    hull->addPoint(btVector3(b, 0, a), false);
  }
  hull->setMargin(margin);
  hull->recalcLocalAabb(); // with the margin: it is not done anew where that is set
  return hull;
}

// A mesh from an OBJ file, which it keeps the triangles of.
struct Mesh {
  std::vector<btVector3> vertices;
  std::vector<int> indices;
  std::unique_ptr<btTriangleIndexVertexArray> triangles;
  std::unique_ptr<btBvhTriangleMeshShape> shape;

  explicit Mesh(const char *file) {
    std::ifstream obj(file);
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
    triangles.reset(new btTriangleIndexVertexArray(indices.size() / 3, indices.data(), 3 * sizeof(int), vertices.size(),
                                                   vertices[0].m_floats, sizeof(btVector3)));
    shape.reset(new btBvhTriangleMeshShape(triangles.get(), true));
  }
};

// A height field around the origin, which it keeps the heights of.
struct Field {
  std::vector<float> heights;
  std::unique_ptr<btHeightfieldTerrainShape> shape;

  explicit Field(const char *file) {
    std::ifstream in(file);
    int columns, rows;
    float cell, highest = 0;
    in >> columns >> rows >> cell;
    for (float h; in >> h;) {
      heights.push_back(h);
      highest = std::max(highest, std::abs(h));
    }
    // The origin is midway between the least and the greatest height.
    shape.reset(new btHeightfieldTerrainShape(columns, rows, heights.data(), 1, -highest, highest, 1, PHY_FLOAT, false));
    shape->setLocalScaling(btVector3(cell, 1, cell));
  }
};

static btCollisionShape *shapeOf(const std::string &kind, const Mesh &mesh) {
  if (kind == "sphere") return new btSphereShape(0.5f);
  if (kind == "capsule") return new btCapsuleShape(0.3f, 0.8f);
  if (kind == "box" || kind == "AABB") return new btBoxShape(btVector3(0.5f, 0.4f, 0.6f));
  if (kind == "plane") return new btStaticPlaneShape(btVector3(0, 1, 0), 0);
  if (kind == "compound") {
    auto cross = new btCompoundShape();
    for (int axis = 0; axis < 3; axis++) {
      btVector3 half(0.15f, 0.15f, 0.15f);
      half[axis] = 0.5f;
      cross->addChildShape(btTransform::getIdentity(), new btBoxShape(half));
    }
    return cross;
  }
  if (kind == "mesh") return mesh.shape.get();
  if (kind == "cylinder") return new btCylinderShape(btVector3(0.4f, 0.5f, 0.4f));
  if (kind == "cone") return new btConeShape(0.5f, 1);
  return dodecahedron(0.5f);
}

struct Pair {
  std::string name;
  btCollisionObject a, b;
  btCollisionAlgorithm *algorithm;
  btManifoldArray manifolds;

  void collide(btDispatcherInfo &info) {
    for (int i = 0; i < manifolds.size(); i++) manifolds[i]->clearManifold();
    btCollisionObjectWrapper wa(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wb(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
    btManifoldResult result(&wa, &wb);
    algorithm->processCollision(&wa, &wb, info, &result);
  }
};

static void measurePairs(const char *file, const char *meshFile, const char *fieldFile) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDispatcherInfo info;
  Mesh mesh(meshFile);
  Field field(fieldFile);
  std::map<std::string, btCollisionShape *> shapes;
  for (auto k : {"sphere", "capsule", "box", "hull", "AABB", "plane", "compound", "mesh", "cylinder", "cone"}) shapes[k] = shapeOf(k, mesh);
  shapes["field"] = field.shape.get();
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
    if (p->a.getCollisionShape()->isConcave() && p->b.getCollisionShape()->isConcave()) continue;
    btCollisionObjectWrapper wa(nullptr, p->a.getCollisionShape(), &p->a, p->a.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wb(nullptr, p->b.getCollisionShape(), &p->b, p->b.getWorldTransform(), -1, -1);
    p->algorithm = dispatcher.findAlgorithm(&wa, &wb, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    p->collide(info); // compounds make the algorithms of their children as they need them, and these their manifolds
    p->algorithm->getAllContactManifolds(p->manifolds);
    pairs.push_back(std::move(p));
  }
  for (size_t from = 0; from < pairs.size();) {
    size_t to = from;
    while (to < pairs.size() && pairs[to]->name == pairs[from]->name) to++;
    int contacts = 0, touching = 0;
    double took = measure([&] {
      contacts = 0, touching = 0;
      for (size_t i = from; i < to; i++) {
        Pair &p = *pairs[i];
        p.collide(info);
        int n = 0;
        for (int k = 0; k < p.manifolds.size(); k++) n += p.manifolds[k]->getNumContacts();
        contacts += n;
        touching += n > 0;
      }
    });
    const char *name = pairs[from]->name.c_str();
    printf("%s %.1f ns %.2f contacts\n", name, took * 1e9 / (to - from), double(contacts) / (to - from));
    printf("touching-%s %.4f\n", name, double(touching) / (to - from));
    from = to;
  }
}

// Bullet adds a margin around hulls, of 4 cm, but keeps that of boxes within, at a tenth of the half extent at most. Here a hull has as
// much, within: its faces are where they should be, and its edges rounded.
static btConvexShape *castHull(float size) {
  const float inner = 0.7946545f; // how far the faces of a dodecahedron are from its middle, if its corners are at 1
  float margin = 0.1f * size;
  return dodecahedron(size - margin / inner, margin);
}

static void measureCasts(const char *castFile, const char *meshFile) {
  Mesh mesh(meshFile);
  btCollisionObject object;
  object.setCollisionShape(mesh.shape.get());
  btVector3 low, high;
  mesh.shape->getAabb(btTransform::getIdentity(), low, high);
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
    if (kind == "hull") c.shape.reset(castHull(size));
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
        btCollisionWorld::objectQuerySingle(c.shape.get(), from, to, &object, mesh.shape.get(), object.getWorldTransform(), result, 0);
        if (result.hasHit()) hits++, sum += result.m_closestHitFraction;
      }
    });
    const char *name = casts[first].name.c_str();
    printf("%s %.3f us %.4f hit %.5f mean_t\n", name, took * 1e6 / (last - first), double(hits) / (last - first),
           sum / std::max(1, hits));
    printf("touching-%s %.4f\n", name, double(hits) / (last - first));
    first = last;
  }
}

int main(int n, char **args) {
  std::string what = n > 1 ? args[1] : "";
  if (what == "pairs" && n == 5) {
    measurePairs(args[2], args[3], args[4]);
  } else if (what == "casts" && n == 4) {
    measureCasts(args[2], args[3]);
  } else {
    fprintf(stderr, "usage: bullet pairs POSES BALL.obj FIELD.txt\n       bullet casts CASTS MESH.obj\n");
    return 2;
  }
}

/*
 * The result of one heap scan, for any runtime: bounded and allocated beforehand, because nothing may be called while
 * the program is stopped.
 */
#include <stddef.h>

extern void *calloc(size_t count, size_t size);
extern void free(void *block);

#define EXPORT __attribute__((visibility("default")))

typedef int hresult;
#define OK 0
#define FAIL ((hresult)0x80004005)
#define NO_INTERFACE ((hresult)0x80004002)
#define OUT_OF_MEMORY ((hresult)0x8007000e)
#define FAILED(result) ((result) < 0)

enum { MAX_ROOTS = 1 << 16, MAX_CLASSES = 1 << 14, SAMPLES = 20, MAX_OBJECTS = 50000000 };

struct root {
    size_t object;
    size_t method;
};

struct class_seen {
    size_t class;
    unsigned count;
    unsigned room;
    size_t objects[SAMPLES];
};

/* The same layout as in HeapLibrary.cs. */
struct item {
    /* A weak handle on .NET; the object itself on Mono. */
    size_t handle;
    /* The class of the method that holds it. */
    size_t class;
    unsigned token;
    /* The number of objects of its class; 0 if a running method holds it. */
    unsigned instances;
};

struct scan {
    /* Classes of the app, ascending: more of their objects are sampled. */
    const size_t *classes;
    struct item *items;
    unsigned long long objects;
    int class_count;
    int room;
    int count;
};

enum { IDLE, WAITING, COLLECTING, DONE };

/*
 * Only one thread at a time is in a collection, and the scanning thread waits for it. A collection that another thread
 * requested may begin at any moment: a thread that sees a phase must see all writes before it, also on a CPU that
 * reorders writes, as arm64 does.
 */
static int phase;

static int phase_now(void)
{
    return __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
}

static void set_phase(int next)
{
    __atomic_store_n(&phase, next, __ATOMIC_RELEASE);
}

/* 0 if it is not in the first of these phases. */
static int pass_phase(int from, int to)
{
    if (phase_now() != from) return 0;
    set_phase(to);
    return 1;
}

static struct scan *current;
static struct root *roots;
static unsigned root_count;
static struct class_seen *classes;
static unsigned class_count;
/* The limit for each class that is not the app's own. */
static unsigned samples_of_others;

static int is_of_app(size_t class)
{
    int low = 0, high = current->class_count - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (current->classes[middle] == class) return 1;
        if (current->classes[middle] < class) low = middle + 1;
        else high = middle - 1;
    }
    return 0;
}

/* Null if there are more classes than entries. */
static struct class_seen *entry_of(size_t class)
{
    unsigned at = ((unsigned)(class >> 3) * 2654435761u) & (MAX_CLASSES - 1);
    while (classes[at].class != class) {
        if (classes[at].class == 0) {
            if (class_count >= MAX_CLASSES / 4 * 3) return NULL;
            class_count++;
            classes[at].class = class;
            classes[at].room = is_of_app(class) ? SAMPLES : samples_of_others;
            break;
        }
        at = (at + 1) & (MAX_CLASSES - 1);
    }
    return &classes[at];
}

static void note_root(size_t object, size_t method)
{
    if (object == 0 || root_count >= MAX_ROOTS) return;
    roots[root_count].object = object;
    roots[root_count++].method = method;
}

/* 0 if no more of them are wanted. */
static int note_object(size_t object, size_t class)
{
    if (phase_now() != COLLECTING || ++current->objects > MAX_OBJECTS) return 0;
    struct class_seen *entry = entry_of(class);
    if (!entry) return 1;
    if (entry->count < entry->room) entry->objects[entry->count] = object;
    if (entry->count < (unsigned)-1) entry->count++;
    return 1;
}

static int begin(struct scan *scan, unsigned of_others)
{
    samples_of_others = of_others;
    roots = calloc(MAX_ROOTS, sizeof *roots);
    classes = calloc(MAX_CLASSES, sizeof *classes);
    root_count = class_count = 0;
    scan->count = 0;
    scan->objects = 0;
    current = scan;
    if (!roots || !classes) return 0;
    set_phase(WAITING);
    return 1;
}

static void end(void)
{
    set_phase(IDLE);
    current = NULL;
    free(roots);
    free(classes);
}

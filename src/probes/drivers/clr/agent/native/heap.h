/*
 * What is kept of one look through a heap, whichever runtime it is of: bounded, and made beforehand, because nothing
 * may be asked of anybody while the program stands still.
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

/* As the agent has it, see HeapLibrary.cs. */
struct item {
    /* Weak, of .NET; of Mono the object itself. */
    size_t handle;
    /* Of the method that holds it. */
    size_t class;
    unsigned token;
    /* How many objects its class has; 0: a running method holds it. */
    unsigned instances;
};

struct look {
    /* Classes of the app, in rising order: more of their objects are wanted. */
    const size_t *classes;
    struct item *items;
    unsigned long long objects;
    int class_count;
    int room;
    int count;
};

enum { IDLE, WAITING, COLLECTING, DONE };

/*
 * Only one thread at a time is in a collection, and the one that looks waits for it. A collection that somebody else asked
 * for may begin at any moment, on another thread: who sees a phase must see what was made before it, also on a CPU that
 * lets others see two writes in another order, as arm64 does.
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

/* 0: it is not in the first of these phases. */
static int pass_phase(int from, int to)
{
    if (phase_now() != from) return 0;
    set_phase(to);
    return 1;
}

static struct look *current;
static struct root *roots;
static unsigned root_count;
static struct class_seen *classes;
static unsigned class_count;
/* Of each class that is not the app's own. */
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

/* Null: there are more classes than there is room for. */
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

/* 0: no more of them. */
static int note_object(size_t object, size_t class)
{
    if (phase_now() != COLLECTING || ++current->objects > MAX_OBJECTS) return 0;
    struct class_seen *entry = entry_of(class);
    if (!entry) return 1;
    if (entry->count < entry->room) entry->objects[entry->count] = object;
    if (entry->count < (unsigned)-1) entry->count++;
    return 1;
}

static int begin(struct look *look, unsigned of_others)
{
    samples_of_others = of_others;
    roots = calloc(MAX_ROOTS, sizeof *roots);
    classes = calloc(MAX_CLASSES, sizeof *classes);
    root_count = class_count = 0;
    look->count = 0;
    look->objects = 0;
    current = look;
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

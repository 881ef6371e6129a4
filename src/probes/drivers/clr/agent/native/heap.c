/*
 * Finds the objects of a .NET program that only running methods hold. The runtime loads this library as a profiler;
 * when the agent requests a scan (`substrate_scan`), it makes the runtime collect garbage once. During that, while the
 * program is stopped, the runtime reports:
 *
 *   the objects that running methods hold, and these methods;
 *   some objects of each class, and their number.
 *
 * Nothing is written to the program. The agent gets each object as a weak handle, because objects move. The library
 * needs .NET 7 or later, in which profilers can make handles (ICorProfilerInfo13); on an older runtime it refuses to
 * load, so that the place for a profiler stays free. `substrate_detach` frees that place on a newer one.
 */
#include "heap.h"

extern int pthread_create(size_t *thread, const void *attributes, void *(*run)(void *), void *argument);
extern int pthread_join(size_t thread, void **result);

/* {6E6C7EE2-0701-4EC2-9D29-2E8733B66934} */
static const unsigned char PROFILER_INFO_13[16] = {
    0xe2, 0x7e, 0x6c, 0x6e, 0x01, 0x07, 0xc2, 0x4e, 0x9d, 0x29, 0x2e, 0x87, 0x33, 0xb6, 0x69, 0x34};

/* Indices of the methods in the tables of ICorProfilerInfo13 and ICorProfilerCallback11. */
enum {
    QUERY_INTERFACE = 0,
    GET_FUNCTION_INFO = 15,
    FORCE_GC = 28,
    REQUEST_PROFILER_DETACH = 58,
    SET_EVENT_MASK_2 = 82,
    CREATE_HANDLE = 108,
    ON_OBJECT_REFERENCES = 52,
    ON_COLLECTION_STARTED = 73,
    ON_COLLECTION_FINISHED = 75,
    ON_ROOT_REFERENCES = 77,
    ON_ATTACH = 80,
    ON_DETACHED = 82,
    ON_LOAD_AS_NOTIFICATION_ONLY = 97,
    CALLBACKS = 110
};
enum { MONITOR_GC = 0x80, ROOT_ON_STACK = 1, WEAK_HANDLE = 1, INDUCED = 1, OLDEST = 2 };
enum { DETACH_WITHIN_MS = 100 };
/* The runtime makes a class of its own for an async method, out of one of the app's. */
enum { SAMPLES_OF_OTHERS = 4 };

enum { FREE, ATTACHED, SCANNING, LEAVING };

static void **info;
static int state;

typedef hresult (*query_interface)(void *self, const void *id, void *answer);
typedef hresult (*get_function_info)(void *self, size_t method, size_t *class, size_t *module, unsigned *token);
typedef hresult (*force_gc)(void *self);
typedef hresult (*request_detach)(void *self, unsigned within_ms);
typedef hresult (*set_event_mask)(void *self, unsigned low, unsigned high);
typedef hresult (*create_handle)(void *self, size_t object, int kind, void **handle);

static void *of_info(int place)
{
    return ((void **)info[0])[place];
}

static hresult on_collection_started(void *self, int count, int collected[], int reason)
{
    (void)self;
    /* A collection that leaves old objects out does not report which of them are still in use. */
    if (reason != INDUCED || count <= OLDEST || !collected[OLDEST]) return OK;
    pass_phase(WAITING, COLLECTING);
    return OK;
}

static hresult on_root_references(void *self, unsigned count, size_t objects[], int kinds[], int flags[],
                                  size_t ids[])
{
    (void)self;
    (void)flags;
    if (phase_now() != COLLECTING) return OK;
    for (unsigned at = 0; at < count; at++)
        if (kinds[at] == ROOT_ON_STACK) note_root(objects[at], ids[at]);
    return OK;
}

static hresult on_object_references(void *self, size_t object, size_t class, unsigned count, size_t references[])
{
    (void)self;
    (void)count;
    (void)references;
    return note_object(object, class) ? OK : FAIL;
}

static struct item *hand_out(size_t object)
{
    void *handle = NULL;
    if (current->count >= current->room) return NULL;
    if (FAILED(((create_handle)of_info(CREATE_HANDLE))(info, object, WEAK_HANDLE, &handle)) || !handle) return NULL;
    struct item *item = &current->items[current->count++];
    *item = (struct item){.handle = (size_t)handle};
    return item;
}

/* Objects are at their final addresses here. */
static hresult on_collection_finished(void *self)
{
    (void)self;
    if (phase_now() != COLLECTING) return OK;
    for (unsigned at = 0; at < root_count; at++) {
        if (at > 0 && roots[at].object == roots[at - 1].object) continue;
        struct item *item = hand_out(roots[at].object);
        size_t module;
        if (item && roots[at].method)
            ((get_function_info)of_info(GET_FUNCTION_INFO))(info, roots[at].method, &item->class, &module,
                                                            &item->token);
    }
    for (unsigned at = 0; at < MAX_CLASSES; at++)
        for (unsigned sample = 0; sample < classes[at].count && sample < classes[at].room; sample++) {
            struct item *item = hand_out(classes[at].objects[sample]);
            if (item) item->instances = classes[at].count;
        }
    set_phase(DONE);
    return OK;
}

/* The runtime expects this call on a thread that is not its own. */
static void *collect(void *result)
{
    hresult *status = result;
    *status = ((force_gc)of_info(FORCE_GC))(info);
    if (!FAILED(*status) && phase_now() != DONE) *status = FAIL;
    return NULL;
}

/* The agent makes one request at a time; only the runtime's callbacks come from other threads. */
static int become(int from, int to)
{
    if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) != from) return 0;
    __atomic_store_n(&state, to, __ATOMIC_SEQ_CST);
    return 1;
}

/* Returns 0, or the reason of the failure. */
EXPORT hresult substrate_scan(struct scan *scan)
{
    hresult status = FAIL;
    size_t thread;
    if (!become(ATTACHED, SCANNING)) return FAIL;
    if (begin(scan, SAMPLES_OF_OTHERS)) {
        if (pthread_create(&thread, NULL, collect, &status) == 0) pthread_join(thread, NULL);
    } else status = OUT_OF_MEMORY;
    end();
    become(SCANNING, ATTACHED);
    return status;
}

static void *leave(void *result)
{
    ((set_event_mask)of_info(SET_EVENT_MASK_2))(info, 0, 0);
    *(hresult *)result = ((request_detach)of_info(REQUEST_PROFILER_DETACH))(info, DETACH_WITHIN_MS);
    return NULL;
}

/* Another profiler can come a little later: the runtime waits until no thread is in this library any more. */
EXPORT hresult substrate_detach(void)
{
    hresult status = FAIL;
    size_t thread;
    if (!become(ATTACHED, LEAVING)) return FAIL;
    if (pthread_create(&thread, NULL, leave, &status) == 0) pthread_join(thread, NULL);
    if (FAILED(status)) become(LEAVING, ATTACHED);
    return status;
}

static hresult on_attach(void *self, void **runtime, void *data, unsigned size)
{
    (void)self;
    (void)data;
    (void)size;
    void **found = NULL;
    hresult status = ((query_interface *)runtime[0])[QUERY_INTERFACE](runtime, PROFILER_INFO_13, &found);
    if (FAILED(status)) return status;
    if (!found) return NO_INTERFACE;
    info = found;
    /* Set only now: the runtime stops collecting in the background for this, until this profiler leaves. */
    status = ((set_event_mask)of_info(SET_EVENT_MASK_2))(info, MONITOR_GC, 0);
    if (FAILED(status)) return status;
    __atomic_store_n(&state, ATTACHED, __ATOMIC_SEQ_CST);
    return OK;
}

static hresult on_detached(void *self)
{
    (void)self;
    __atomic_store_n(&state, FREE, __ATOMIC_SEQ_CST);
    return OK;
}

static hresult on_load_as_notification_only(void *self, int *answer)
{
    (void)self;
    *answer = 0;
    return OK;
}

static hresult nothing(void)
{
    return OK;
}

/* These objects live as long as the library. */
static unsigned count_references(void *self)
{
    (void)self;
    return 1;
}

static hresult query(void *self, const void *id, void **answer)
{
    (void)id;
    *answer = self;
    return OK;
}

static void *callbacks[CALLBACKS];
static void *profiler[] = {callbacks};

static hresult create(void *self, void *outer, const void *id, void **answer)
{
    (void)self;
    (void)outer;
    (void)id;
    *answer = profiler;
    return OK;
}

static void *factory_methods[] = {query, count_references, count_references, create, nothing};
static void *factory[] = {factory_methods};

EXPORT hresult DllGetClassObject(const void *class, const void *id, void **answer)
{
    (void)class;
    (void)id;
    for (int at = 0; at < CALLBACKS; at++) callbacks[at] = nothing;
    callbacks[QUERY_INTERFACE] = query;
    callbacks[1] = callbacks[2] = count_references;
    callbacks[ON_OBJECT_REFERENCES] = on_object_references;
    callbacks[ON_COLLECTION_STARTED] = on_collection_started;
    callbacks[ON_COLLECTION_FINISHED] = on_collection_finished;
    callbacks[ON_ROOT_REFERENCES] = on_root_references;
    callbacks[ON_ATTACH] = on_attach;
    callbacks[ON_DETACHED] = on_detached;
    callbacks[ON_LOAD_AS_NOTIFICATION_ONLY] = on_load_as_notification_only;
    *answer = factory;
    return OK;
}

EXPORT hresult DllCanUnloadNow(void)
{
    return 1;
}

#include "heap-mono.h"

/*
 * The same for Mono, which needs no profiler: code inside the process can listen to its collector. Mono does not report
 * what running methods hold, so only objects of the app's classes are sampled. They are written to the stack of the
 * caller: Mono treats everything on a stack as an object in use that must not move, so that the caller can make handles
 * when the program goes on.
 */
extern void *dlsym(void *library, const char *name);

/*
 * MONO_GC_EVENT_PRE_START_WORLD: the collection is done, and the program is still stopped. A heap can be walked only
 * then.
 */
enum { BEFORE_GOING_ON = 8, OLD_OBJECTS = 1 };

typedef int (*each_object)(void *object, void *class, size_t size, size_t count, void **references, size_t *offsets,
                           void *data);
typedef void (*on_event)(void *profiler, int event, unsigned generation, int is_serial);

static struct {
    void *(*create)(void *profiler);
    void (*listen)(void *handle, on_event callback);
    int (*walk)(int flags, each_object callback, void *data);
    void (*collect)(int generation);
} mono;
static void *mono_handle;
static const char *scanning_from;
enum { NEAR = 1 << 18 };

/*
 * Only the collection that the scan itself requested counts: after another one, which may have just begun, there are
 * objects that nobody holds any more. It runs on the thread that requested it, so not far below on the same stack.
 */
static int is_ours(void)
{
    return (size_t)(scanning_from - (const char *)__builtin_frame_address(0)) < NEAR;
}

static int on_mono_object(void *object, void *class, size_t size, size_t count, void **references, size_t *offsets,
                          void *data)
{
    (void)count;
    (void)references;
    (void)offsets;
    (void)data;
    /* An object with many references comes in parts: all but the first have no size. */
    if (size > 0) note_object((size_t)object, (size_t)class);
    return 0;
}

static void on_mono_event(void *profiler, int event, unsigned generation, int is_serial)
{
    (void)profiler;
    (void)is_serial;
    if (event != BEFORE_GOING_ON || generation < OLD_OBJECTS || !is_ours() || !pass_phase(WAITING, COLLECTING)) return;
    mono.walk(0, on_mono_object, NULL);
    for (unsigned at = 0; at < MAX_CLASSES; at++) {
        struct class_seen *seen = &classes[at];
        for (unsigned sample = 0; sample < seen->count && sample < seen->room; sample++)
            if (current->count < current->room)
                current->items[current->count++] =
                    (struct item){.handle = seen->objects[sample], .instances = seen->count};
    }
    set_phase(DONE);
}

static int find_mono(void)
{
    if (mono_handle) return 1;
    *(void **)&mono.create = dlsym(NULL, "mono_profiler_create");
    *(void **)&mono.listen = dlsym(NULL, "mono_profiler_set_gc_event_callback");
    *(void **)&mono.walk = dlsym(NULL, "mono_gc_walk_heap");
    *(void **)&mono.collect = dlsym(NULL, "mono_gc_collect");
    if (!mono.create || !mono.listen || !mono.walk || !mono.collect) return 0;
    mono_handle = mono.create(&mono);
    return mono_handle != NULL;
}

/* `scan->items` must be on the stack of the calling thread. */
EXPORT hresult substrate_scan_mono(struct scan *scan)
{
    hresult status = OUT_OF_MEMORY;
    if (!find_mono()) return NO_INTERFACE;
    if (begin(scan, 0)) {
        scanning_from = __builtin_frame_address(0);
        mono.listen(mono_handle, on_mono_event);
        mono.collect(OLD_OBJECTS);
        mono.listen(mono_handle, NULL);
        status = phase_now() == DONE ? OK : FAIL;
    }
    end();
    return status;
}

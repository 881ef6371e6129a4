/*
 * The way into .NET Core 3.1 to .NET 7, which load no assembly for a tool but do load a profiler. The runtime opens this
 * library and asks it for the profiler; it gives none, so that the program's place for one stays free, and on a thread of
 * its own asks the runtime to run `Substrate.Entry.Run("")` of the assembly that lies beside it under the same name:
 *
 *   <folder>/SubstrateClr_<build>.so  ->  <folder>/SubstrateClr_<build>.dll
 *
 * The agent finds its channel by itself, which may be in another folder. Why it was not loaded is written to
 * <folder>/error. Paths are ASCII: who puts the files there sees to it.
 */
#include <stddef.h>

/* Declarations of the program's libc; the numbers are the same in all of them. */
enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_NOLOAD = 4, RTLD_NODELETE = 0x1000 };
enum { O_WRONLY = 1, O_CREAT = 0100, O_EXCL = 0200, O_CLOEXEC = 02000000 };
#define RTLD_DEFAULT NULL
struct loaded {
    size_t address;
    const char *name;
};
struct symbol {
    const char *file;
    void *base;
    const char *name;
    void *address;
};
extern void *dlopen(const char *file, int mode);
extern void *dlsym(void *library, const char *name);
extern int dladdr(const void *address, struct symbol *symbol);
extern int dl_iterate_phdr(int (*each)(const struct loaded *loaded, size_t size, void *data), void *data);
extern int pthread_create(size_t *thread, const void *attributes, void *(*run)(void *), void *argument);
extern int pthread_detach(size_t thread);
extern int open(const char *path, int flags, ...);
extern ptrdiff_t write(int file, const void *bytes, size_t count);
extern int close(int file);
extern size_t strlen(const char *text);
extern char *strrchr(const char *text, int character);
extern int memcmp(const void *one, const void *other, size_t count);
extern void *memcpy(void *restrict target, const void *restrict source, size_t count);

#define EXPORT __attribute__((visibility("default")))
#define MAX_PATH 512

typedef int hresult;
typedef unsigned short utf16;
#define FAILED_ON_PURPOSE ((hresult)0x80004005) /* E_FAIL */

/* ICLRRuntimeHost2 {712AB73F-2C22-4807-AD7E-F501D7B72C2D}; the method has the same index in every version. */
static const unsigned char RUNTIME_HOST[16] = {
    0x3f, 0xb7, 0x2a, 0x71, 0x22, 0x2c, 0x07, 0x48, 0xad, 0x7e, 0xf5, 0x01, 0xd7, 0xb7, 0x2c, 0x2d};
enum { EXECUTE_IN_DEFAULT_APP_DOMAIN = 11 };

typedef hresult (*get_host)(const void *id, void **host);
typedef hresult (*execute)(void *host, const utf16 *assembly, const utf16 *type, const utf16 *method,
                           const utf16 *argument, unsigned *returned);

static char folder[MAX_PATH];
static char assembly[MAX_PATH];

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

/* Derives both paths from that of this library; 0 when its name does not match. */
static int find_files(const char *library)
{
    size_t length = strlen(library);
    const char *slash = strrchr(library, '/');
    if (!slash || length + 2 > MAX_PATH || !ends_with(library, ".so")) return 0;
    memcpy(folder, library, (size_t)(slash - library));
    folder[slash - library] = 0;
    memcpy(assembly, library, length - 2);
    memcpy(assembly + length - 2, "dll", 4);
    return 1;
}

static void write_reason(const char *reason)
{
    char path[MAX_PATH + 8];
    size_t length = strlen(folder);
    memcpy(path, folder, length);
    memcpy(path + length, "/error", 7);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    ptrdiff_t written = write(file, reason, strlen(reason));
    (void)written;
    close(file);
}

static int note_runtime(const struct loaded *loaded, size_t size, void *found)
{
    (void)size;
    if (!loaded->name || !ends_with(loaded->name, "/libcoreclr.so")) return 0;
    *(const char **)found = loaded->name;
    return 1;
}

/* The runtime is a library of its own or, in a single-file program, the program itself. */
static get_host find_runtime(void)
{
    const char *library = NULL;
    dl_iterate_phdr(note_runtime, &library);
    void *runtime = library ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : RTLD_DEFAULT;
    return (get_host)dlsym(runtime, "GetCLRRuntimeHost");
}

static void widen(utf16 *target, const char *text)
{
    while ((*target++ = (unsigned char)*text++)) {
    }
}

static void *load_agent(void *unused)
{
    static utf16 path[MAX_PATH], argument[1], type[16], method[4];
    void **host = NULL;
    unsigned returned = 0;
    get_host get = find_runtime();
    if (!get) {
        write_reason("the runtime does not export GetCLRRuntimeHost");
        return unused;
    }
    if (get(RUNTIME_HOST, (void **)&host) < 0 || !host) {
        write_reason("the runtime gave no ICLRRuntimeHost");
        return unused;
    }
    widen(path, assembly);
    widen(type, "Substrate.Entry");
    widen(method, "Run");
    execute run = (*(execute **)host)[EXECUTE_IN_DEFAULT_APP_DOMAIN];
    if (run(host, path, type, method, argument, &returned) < 0) write_reason("the runtime did not load the assembly");
    return unused;
}

/* The function that the runtime calls in a profiler's library. */
EXPORT hresult DllGetClassObject(const void *class_id, const void *interface_id, void **object)
{
    (void)class_id;
    (void)interface_id;
    *object = NULL;
    struct symbol self;
    if (!dladdr((void *)load_agent, &self) || !find_files(self.file)) return FAILED_ON_PURPOSE;
    /* The runtime closes the library after the refusal, while the thread still runs in it: so it is pinned. */
    if (!dlopen(self.file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE)) return FAILED_ON_PURPOSE;
    size_t thread;
    if (pthread_create(&thread, NULL, load_agent, NULL) == 0) pthread_detach(thread);
    else write_reason("no thread could be started");
    return FAILED_ON_PURPOSE;
}

EXPORT hresult DllCanUnloadNow(void)
{
    return 1; /* S_FALSE */
}

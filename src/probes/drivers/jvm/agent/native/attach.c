/*
 * The way into a running JVM: the attach command `load <file> true <args>` maps this library and calls Agent_OnAttach.
 *
 * It makes a class loader of its own and defines substrate.boot.Boot in it, from bytes that were compiled in. Boot
 * does the rest in Java. No jar gets onto the class path of the program and nothing but java.base is needed. Classes
 * that JNI defines have the protection domain of the JDK: a SecurityManager lets them do everything, and threads that
 * the program starts while a call of the agent is on the stack do not inherit its access rights.
 *
 * The JVM never unmaps an agent's library, and maps it once for one path: a later attach calls in here again.
 */
#include "agent.h"

/* Exit codes of Agent_OnAttach; the attach command's answer contains them. */
enum {
    STARTED = 0,
    NO_JNI = 11,           /* the VM gave no JNI environment */
    NO_JVMTI = 12,         /* the VM gave no JVMTI environment */
    NO_LOADER = 13,        /* no class loader could be made: too early, out of memory, or forbidden */
    NO_BOOT_CLASS = 14,    /* the VM refused the boot classes */
    NO_NATIVES = 15,       /* the VM refused their native methods */
    BOOT_FAILED = 16,      /* Boot says why in <folder>/error */
    BOOT_THREW = 17        /* Boot could not even say why */
};

struct boot_class {
    const char *name;
    const signed char *bytes;
    jsize length;
};
#include "boot_classes.h"

/* Boot.define: a class of the payload. */
static jclass JNICALL define(JNIEnv *jni, jclass boot, jobject loader, jstring name, jbyteArray bytes)
{
    (void)boot;
    jclass defined = NULL;
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    if (!text) return NULL;
    jsize length = (*jni)->GetArrayLength(jni, bytes);
    jbyte *content = (*jni)->GetByteArrayElements(jni, bytes, NULL);
    if (content) {
        defined = (*jni)->DefineClass(jni, text, loader, content, length);
        (*jni)->ReleaseByteArrayElements(jni, bytes, content, JNI_ABORT);
    }
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return defined;
}

/* Boot.bind: the natives of the payload. */
static jboolean JNICALL bind(JNIEnv *jni, jclass boot, jclass natives)
{
    (void)boot;
    return bind_natives(jni, natives) == 0;
}

/* Its parent is the bootstrap loader: Boot needs nothing else. */
static jobject new_loader(JNIEnv *jni)
{
    jclass type = (*jni)->FindClass(jni, "java/security/SecureClassLoader");
    if (failed(jni) || !type) return NULL;
    jmethodID constructor = (*jni)->GetMethodID(jni, type, "<init>", "(Ljava/lang/ClassLoader;)V");
    if (failed(jni) || !constructor) return NULL;
    jobject loader = (*jni)->NewObject(jni, type, constructor, NULL);
    return failed(jni) ? NULL : loader;
}

static jclass define_boot(JNIEnv *jni, jobject loader)
{
    jclass boot = NULL;
    for (unsigned at = 0; at < sizeof boot_classes / sizeof *boot_classes; at++) {
        const struct boot_class *class = &boot_classes[at];
        jclass defined = (*jni)->DefineClass(jni, class->name, loader, class->bytes, class->length);
        if (failed(jni) || !defined) return NULL;
        /* Boot is the first in the table. */
        if (!boot) boot = defined;
    }
    return boot;
}

static jint start(JNIEnv *jni, jvmtiEnv *jvmti, const char *options)
{
    static const JNINativeMethod natives[] = {
        {"define", "(Ljava/lang/ClassLoader;Ljava/lang/String;[B)Ljava/lang/Class;", (void *)define},
        {"bind", "(Ljava/lang/Class;)Z", (void *)bind},
    };
    jobject loader = new_loader(jni);
    if (!loader) return NO_LOADER;
    jclass boot = define_boot(jni, loader);
    if (!boot) return NO_BOOT_CLASS;
    jint refused = (*jni)->RegisterNatives(jni, boot, natives, sizeof natives / sizeof *natives);
    if (failed(jni) || refused) return NO_NATIVES;
    jmethodID method = (*jni)->GetStaticMethodID(jni, boot, "start", "(Ljava/lang/String;J)Z");
    if (failed(jni) || !method) return BOOT_THREW;
    jstring args = (*jni)->NewStringUTF(jni, options ? options : "");
    if (failed(jni) || !args) return BOOT_THREW;
    jboolean started = (*jni)->CallStaticBooleanMethod(jni, boot, method, args, (jlong)(size_t)jvmti);
    if (failed(jni)) return BOOT_THREW;
    return started ? STARTED : BOOT_FAILED;
}

/* Version 9 added the opening of modules; Java 8 has version 1.2. */
static jvmtiEnv *new_jvmti(JavaVM *vm)
{
    void *jvmti = NULL;
    if ((*vm)->GetEnv(vm, &jvmti, JVMTI_VERSION_9) == JNI_OK) return jvmti;
    if ((*vm)->GetEnv(vm, &jvmti, JVMTI_VERSION_1_2) == JNI_OK) return jvmti;
    return NULL;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    void *env = NULL;
    if ((*vm)->GetEnv(vm, &env, JNI_VERSION_1_6) != JNI_OK) return NO_JNI;
    JNIEnv *jni = env;
    jvmtiEnv *jvmti = new_jvmti(vm);
    if (!jvmti) return NO_JVMTI;
    jint result = NO_LOADER;
    if ((*jni)->PushLocalFrame(jni, 32) == JNI_OK) {
        result = start(jni, jvmti, options);
        (*jni)->PopLocalFrame(jni, NULL);
    }
    failed(jni);
    /* A started agent owns the environment, and disposes of it at its end. */
    if (result != STARTED) (*jvmti)->DisposeEnvironment(jvmti);
    return result;
}

/* The native methods of substrate.agent.vm.Natives: JVMTI's view of classes, modules and stacks. */
#include "agent.h"

static jvmtiEnv *jvmti_of(jlong env)
{
    return (jvmtiEnv *)(size_t)env;
}

static void release(jvmtiEnv *jvmti, void *memory)
{
    if (memory) (*jvmti)->Deallocate(jvmti, memory);
}

static void *allocate(jvmtiEnv *jvmti, jlong size)
{
    unsigned char *memory = NULL;
    return (*jvmti)->Allocate(jvmti, size, &memory) == JVMTI_ERROR_NONE ? memory : NULL;
}

static jobjectArray JNICALL loaded_classes(JNIEnv *jni, jclass natives, jlong env)
{
    (void)natives;
    jvmtiEnv *jvmti = jvmti_of(env);
    jint count = 0;
    jclass *classes = NULL;
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return NULL;
    jobjectArray found = NULL;
    if ((*jni)->EnsureLocalCapacity(jni, count + 16) == JNI_OK) {
        jclass type = (*jni)->FindClass(jni, "java/lang/Class");
        if (type) found = (*jni)->NewObjectArray(jni, count, type, NULL);
    }
    for (jint at = 0; at < count; at++) {
        if (found) (*jni)->SetObjectArrayElement(jni, found, at, classes[at]);
        (*jni)->DeleteLocalRef(jni, classes[at]);
    }
    release(jvmti, classes);
    /* Out of memory: the exception is the caller's to catch. */
    return found;
}

static jboolean JNICALL is_initialised(JNIEnv *jni, jclass natives, jlong env, jclass type)
{
    (void)jni;
    (void)natives;
    jint status = 0;
    if ((*jvmti_of(env))->GetClassStatus(jvmti_of(env), type, &status) != JVMTI_ERROR_NONE) return JNI_FALSE;
    if (status & (JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE)) return JNI_TRUE;
    return (status & JVMTI_CLASS_STATUS_INITIALIZED) && !(status & JVMTI_CLASS_STATUS_ERROR);
}

static jboolean JNICALL open_package(JNIEnv *jni, jclass natives, jlong env, jobject module, jstring package,
    jobject to)
{
    (void)natives;
    jvmtiEnv *jvmti = jvmti_of(env);
    jint version = 0;
    /* Java 8 has neither modules nor this function. */
    if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE) return JNI_FALSE;
    if ((version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR < 9) return JNI_FALSE;
    const char *name = (*jni)->GetStringUTFChars(jni, package, NULL);
    if (!name) return JNI_FALSE;
    jvmtiError error = (*jvmti)->AddModuleOpens(jvmti, module, name, to);
    (*jni)->ReleaseStringUTFChars(jni, package, name);
    return !failed(jni) && error == JVMTI_ERROR_NONE;
}

/* The number of facts per local. */
#define FACTS 5

/* One object in one local variable. `first` is the index of the object's first record, plus one. */
struct local {
    jint first;
    jlong thread;
    jint depth;
    jint slot;
    jmethodID method;
    /* The position in the code: variables that are not live at the same time share a slot. */
    jlocation location;
};

struct walk {
    /* Part of every tag: tags of an earlier walk remain where memory ran out before they were removed. */
    jlong round;
    struct local *locals;
    jint count;
    jint max;
    /* Methods whose locals are ignored, ascending. */
    const jlong *skipped;
    jint skippedCount;
    /* A limit per thread, so that a deep stack does not hide the others. */
    jlong thread;
    jint ofThread;
};

static jboolean is_skipped(const struct walk *walk, jmethodID method)
{
    jlong id = (jlong)(size_t)method;
    jint low = 0;
    jint high = walk->skippedCount;
    while (low < high) {
        jint middle = low + (high - low) / 2;
        if (walk->skipped[middle] < id) low = middle + 1;
        else high = middle;
    }
    return low < walk->skippedCount && walk->skipped[low] == id;
}

static jlong tag_of(const struct walk *walk, jint first)
{
    return walk->round << 32 | first;
}

/* 0 if the object was not met in this walk. */
static jint first_of(const struct walk *walk, jlong tag)
{
    jint first = (jint)(tag & 0x7fffffff);
    return tag >> 32 == walk->round && first <= walk->count ? first : 0;
}

/* The program is stopped while this runs, and neither JNI nor most of JVMTI may be called. */
static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong classTag,
    jlong referrerClassTag, jlong size, jlong *tag, jlong *referrerTag, jint length, void *data)
{
    (void)classTag;
    (void)referrerClassTag;
    (void)size;
    (void)referrerTag;
    (void)length;
    struct walk *walk = data;
    switch (kind) {
        case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
            break;
        case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
        case JVMTI_HEAP_REFERENCE_THREAD:
        case JVMTI_HEAP_REFERENCE_OTHER:
            return 0;
        default:
            /* HotSpot reports all stacks before any other root, so all are done. */
            return JVMTI_VISIT_ABORT;
    }
    const jvmtiHeapReferenceInfoStackLocal *place = &info->stack_local;
    if (!place->method || is_skipped(walk, place->method)) return 0;
    if (place->thread_id != walk->thread) {
        walk->thread = place->thread_id;
        walk->ofThread = 0;
    }
    if (walk->ofThread >= walk->max / 4) return 0;
    jint first = first_of(walk, *tag);
    if (first) {
        /* A recursive method passes the same objects on and on. */
        const struct local *before = &walk->locals[first - 1];
        jboolean isSameMethod = before->thread == place->thread_id && before->method == place->method;
        if (isSameMethod && before->depth != place->depth) return 0;
    } else {
        first = walk->count + 1;
        *tag = tag_of(walk, first);
    }
    struct local *local = &walk->locals[walk->count++];
    local->first = first;
    local->thread = place->thread_id;
    local->depth = place->depth;
    local->slot = place->slot;
    local->method = place->method;
    local->location = place->location;
    walk->ofThread++;
    return walk->count < walk->max ? 0 : JVMTI_VISIT_ABORT;
}

static jboolean can_tag(jvmtiEnv *jvmti)
{
    jvmtiCapabilities wanted = {0};
    jvmtiCapabilities has = {0};
    if ((*jvmti)->GetCapabilities(jvmti, &has) == JVMTI_ERROR_NONE && has.can_tag_objects) return JNI_TRUE;
    wanted.can_tag_objects = 1;
    return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE;
}

static jlong JNICALL cpu_nanos(JNIEnv *jni, jclass natives, jlong env)
{
    (void)jni;
    (void)natives;
    jvmtiEnv *jvmti = jvmti_of(env);
    jlong nanos = 0;
    jvmtiError error = (*jvmti)->GetCurrentThreadCpuTime(jvmti, &nanos);
    if (error == JVMTI_ERROR_MUST_POSSESS_CAPABILITY) {
        jvmtiCapabilities wanted = {0};
        wanted.can_get_current_thread_cpu_time = 1;
        if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE) return -1;
        error = (*jvmti)->GetCurrentThreadCpuTime(jvmti, &nanos);
    }
    return error == JVMTI_ERROR_NONE ? nanos : -1;
}

/* Puts the tagged objects at the indices in their tags, and removes the tags. False if JVMTI does not return them. */
static jboolean collect_tagged(JNIEnv *jni, jvmtiEnv *jvmti, const struct walk *walk, jobjectArray objects)
{
    /* JVMTI refuses an empty list of tags. */
    if (walk->count == 0) return JNI_TRUE;
    jlong *tags = allocate(jvmti, walk->count * (jlong)sizeof(jlong));
    if (!tags) return JNI_FALSE;
    jint tagCount = 0;
    for (jint at = 0; at < walk->count; at++)
        if (walk->locals[at].first == at + 1) tags[tagCount++] = tag_of(walk, at + 1);
    jint found = 0;
    jobject *tagged = NULL;
    jlong *foundTags = NULL;
    jvmtiError error = (*jvmti)->GetObjectsWithTags(jvmti, tagCount, tags, &found, &tagged, &foundTags);
    if (error == JVMTI_ERROR_NONE) {
        jboolean room = (*jni)->EnsureLocalCapacity(jni, found + 16) == JNI_OK;
        failed(jni);
        for (jint at = 0; at < found; at++) {
            (*jvmti)->SetTag(jvmti, tagged[at], 0);
            jint first = first_of(walk, foundTags[at]);
            if (room && first) (*jni)->SetObjectArrayElement(jni, objects, first - 1, tagged[at]);
            (*jni)->DeleteLocalRef(jni, tagged[at]);
        }
        release(jvmti, tagged);
        release(jvmti, foundTags);
    }
    release(jvmti, tags);
    return error == JVMTI_ERROR_NONE;
}

/*
 * Five numbers for each local (FACTS): thread, depth, slot, method, location. An object in several locals is at each
 * index.
 */
static void report(JNIEnv *jni, const struct walk *walk, jobjectArray objects, jlongArray facts)
{
    for (jint at = 0; at < walk->count; at++) {
        const struct local *local = &walk->locals[at];
        jlong numbers[FACTS] = {
            local->thread, local->depth, local->slot, (jlong)(size_t)local->method, local->location};
        (*jni)->SetLongArrayRegion(jni, facts, at * FACTS, FACTS, numbers);
        if (local->first == at + 1) continue;
        jobject object = (*jni)->GetObjectArrayElement(jni, objects, local->first - 1);
        (*jni)->SetObjectArrayElement(jni, objects, at, object);
        (*jni)->DeleteLocalRef(jni, object);
    }
}

static jint JNICALL stack_locals(JNIEnv *jni, jclass natives, jlong env, jint round, jlongArray skipped,
    jobjectArray objects, jlongArray facts)
{
    (void)natives;
    jvmtiEnv *jvmti = jvmti_of(env);
    jvmtiHeapCallbacks callbacks = {0};
    callbacks.heap_reference_callback = on_reference;
    struct walk walk = {0};
    walk.round = round;
    walk.max = (*jni)->GetArrayLength(jni, objects);
    if (walk.max > (*jni)->GetArrayLength(jni, facts) / FACTS) return -1;
    walk.skippedCount = (*jni)->GetArrayLength(jni, skipped);
    walk.thread = -1;
    jlong *ids = allocate(jvmti, (walk.skippedCount + 1) * (jlong)sizeof *ids);
    walk.locals = allocate(jvmti, (walk.max + 1) * (jlong)sizeof *walk.locals);
    jint count = -1;
    if (ids && walk.locals && can_tag(jvmti)) {
        (*jni)->GetLongArrayRegion(jni, skipped, 0, walk.skippedCount, ids);
        walk.skipped = ids;
        if ((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &walk) == JVMTI_ERROR_NONE) {
            if (collect_tagged(jni, jvmti, &walk, objects)) count = walk.count;
            if (count > 0) report(jni, &walk, objects, facts);
        }
    }
    release(jvmti, ids);
    release(jvmti, walk.locals);
    return count;
}

/* Class, name and descriptor of a method; null if its class was unloaded meanwhile. */
static jobjectArray JNICALL method_of(JNIEnv *jni, jclass natives, jlong env, jlong id)
{
    (void)natives;
    jvmtiEnv *jvmti = jvmti_of(env);
    jmethodID method = (jmethodID)(size_t)id;
    jclass type = NULL;
    char *name = NULL;
    char *descriptor = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE || !type) return NULL;
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) return NULL;
    jstring nameText = (*jni)->NewStringUTF(jni, name);
    jstring descriptorText = nameText ? (*jni)->NewStringUTF(jni, descriptor) : NULL;
    release(jvmti, name);
    release(jvmti, descriptor);
    if (!descriptorText) return NULL;
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jobjectArray found = object ? (*jni)->NewObjectArray(jni, 3, object, NULL) : NULL;
    if (!found) return NULL;
    (*jni)->SetObjectArrayElement(jni, found, 0, type);
    (*jni)->SetObjectArrayElement(jni, found, 1, nameText);
    (*jni)->SetObjectArrayElement(jni, found, 2, descriptorText);
    return found;
}

static void JNICALL dispose(JNIEnv *jni, jclass natives, jlong env)
{
    (void)jni;
    (void)natives;
    (*jvmti_of(env))->DisposeEnvironment(jvmti_of(env));
}

jint bind_natives(JNIEnv *jni, jclass natives)
{
    static const JNINativeMethod methods[] = {
        {"loadedClasses", "(J)[Ljava/lang/Class;", (void *)loaded_classes},
        {"isInitialised", "(JLjava/lang/Class;)Z", (void *)is_initialised},
        {"open", "(JLjava/lang/Object;Ljava/lang/String;Ljava/lang/Object;)Z", (void *)open_package},
        {"stackLocals", "(JI[J[Ljava/lang/Object;[J)I", (void *)stack_locals},
        {"method", "(JJ)[Ljava/lang/Object;", (void *)method_of},
        {"cpuNanos", "(J)J", (void *)cpu_nanos},
        {"dispose", "(J)V", (void *)dispose},
    };
    jint refused = (*jni)->RegisterNatives(jni, natives, methods, sizeof methods / sizeof *methods);
    return failed(jni) ? JNI_ERR : refused;
}

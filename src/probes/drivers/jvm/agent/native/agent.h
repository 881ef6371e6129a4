/* What the files of the native agent share. There is no libc, and no state: what lives as long as an agent does is its
   JVMTI environment, whose address the Java side keeps and hands in with every call. */
#ifndef SUBSTRATE_AGENT_H
#define SUBSTRATE_AGENT_H

#include <jvmti.h>
#include <stddef.h>

/* The natives of substrate.agent.vm.Natives; 0 when the VM took them. */
jint bind_natives(JNIEnv *jni, jclass natives);

/* True, and no exception is pending any more, when the last call threw. */
static inline jboolean failed(JNIEnv *jni)
{
    if (!(*jni)->ExceptionCheck(jni)) return JNI_FALSE;
    (*jni)->ExceptionClear(jni);
    return JNI_TRUE;
}

#endif

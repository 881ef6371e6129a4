/* Shared by the files of the native agent. There is no libc, and no static state: the only thing that lives as long as
   an agent is its JVMTI environment, whose address the Java side keeps and passes with every call. */
#ifndef SUBSTRATE_AGENT_H
#define SUBSTRATE_AGENT_H

#include <jvmti.h>
#include <stddef.h>

/* The natives of substrate.agent.vm.Natives; 0 when the VM took them. */
jint bind_natives(JNIEnv *jni, jclass natives);

/* True when the last call threw; the exception is cleared. */
static inline jboolean failed(JNIEnv *jni)
{
    if (!(*jni)->ExceptionCheck(jni)) return JNI_FALSE;
    (*jni)->ExceptionClear(jni);
    return JNI_TRUE;
}

#endif

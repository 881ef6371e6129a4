/* jni.h includes this and uses nothing of it. Without a libc's headers the library compiles for any CPU. */

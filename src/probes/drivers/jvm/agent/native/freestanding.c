/* Functions that a compiler may call by itself, even where there is no libc. */
#include <stddef.h>

void *memset(void *target, int byte, size_t count)
{
    unsigned char *at = target;
    while (count--) *at++ = (unsigned char)byte;
    return target;
}

void *memcpy(void *restrict target, const void *restrict source, size_t count)
{
    unsigned char *to = target;
    const unsigned char *from = source;
    while (count--) *to++ = *from++;
    return target;
}

/* .NET Core 3.1 looks for OpenSSL 1.1, and today's systems have OpenSSL 3. This library takes the place of libssl.so.1.1: it
   is linked to OpenSSL 3, where nearly every function is found under its old name, and adds the three that are not. */
int EVP_MD_get_size(const void *digest);
void *SSL_get1_peer_certificate(const void *connection);

int EVP_MD_size(const void *digest) { return EVP_MD_get_size(digest); }

void *SSL_get_peer_certificate(const void *connection) { return SSL_get1_peer_certificate(connection); }

void ERR_put_error(int library, int function, int reason, const char *file, int line)
{
    (void)library, (void)function, (void)reason, (void)file, (void)line;
}

package harness;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** For runtimes with a server for HTTP. */
final class HttpCases {
    private HttpCases() {}

    static final class Handler {
        List<String> seen = new ArrayList<>(List.of("one"));
    }

    static void handlers() throws Exception {
        Handler handler = new Handler();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> handler.seen.add("x"));
        server.start();
        Check.same("handler", "one", new Subject(1000).full().get("handler.seen[0]"));
        server.stop(0);
    }
}

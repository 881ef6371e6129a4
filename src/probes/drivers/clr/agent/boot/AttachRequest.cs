using System;
using System.Text;

namespace Substrate
{
    // The request that a tool sends to Mono's attach socket: `MONO`, version 1.0, the length of the rest as u32, and
    // three texts: `attach`, the agent's file, its argument. A text is 18, its length as one byte, and its bytes; some
    // builds of Mono want a 0 behind it. 17 stands for no text.
    sealed class AttachRequest
    {
        const int HeadBytes = 10;
        const int MostBytes = 4096;
        const int NoText = 17;
        const int Text = 18;
        static readonly byte[] Start = { (byte)'M', (byte)'O', (byte)'N', (byte)'O', 1, 0 };
        internal readonly string Agent;
        internal readonly string Arguments;

        AttachRequest(string agent, string arguments)
        {
            Agent = agent;
            Arguments = arguments;
        }

        // `read` returns exactly the requested number of bytes. Throws on a malformed request.
        internal static AttachRequest Read(Func<int, byte[]> read)
        {
            byte[] head = read(HeadBytes);
            for (int at = 0; at < Start.Length; at++)
                if (head[at] != Start[at]) throw Wrong();
            int length = BitConverter.ToInt32(head, Start.Length);
            if (length < 0 || length > MostBytes) throw Wrong();
            byte[] body = read(length);
            int next = 0;
            if (TextAt(body, ref next) != "attach") throw Wrong();
            string agent = TextAt(body, ref next);
            if (string.IsNullOrEmpty(agent)) throw Wrong();
            return new AttachRequest(agent, TextAt(body, ref next));
        }

        static string TextAt(byte[] body, ref int next)
        {
            if (next >= body.Length) throw Wrong();
            int kind = body[next++];
            if (kind == NoText) return null;
            if (kind != Text || next >= body.Length) throw Wrong();
            int length = body[next++];
            if (length > body.Length - next) throw Wrong();
            string text = Encoding.UTF8.GetString(body, next, length);
            next += length;
            if (next < body.Length && body[next] == 0) next++;
            return text;
        }

        static FormatException Wrong()
        {
            return new FormatException("no request for an attach");
        }
    }
}

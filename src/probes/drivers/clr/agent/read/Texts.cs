using System.Globalization;
using System.Text;

namespace Substrate.Read
{
    // How much of a text is sent.
    static class Texts
    {
        internal const int MaxText = 4096;
        // What the daemon shows in the place of a secret.
        internal const string Redacted = "[redacted]";

        internal static string Cut(string text)
        {
            if (text.Length <= MaxText) return text;
            int end = char.IsHighSurrogate(text[MaxText - 1]) ? MaxText - 1 : MaxText;
            return Cut(text.Substring(0, end), text.Length);
        }

        // How many characters of a text that is put together fit, with the words that there are more.
        internal static int Shown(int length)
        {
            return length <= MaxText ? length : MaxText - 32;
        }

        // `beginning` is that of a text of so many characters.
        internal static string Cut(string beginning, int length)
        {
            if (beginning.Length >= length) return beginning;
            return beginning + "… [" + length.ToString(CultureInfo.InvariantCulture) + " characters]";
        }

        // What the bytes say, if they are a text that can be read and sent as a whole; else null.
        internal static string OfBytes(byte[] bytes)
        {
            if (bytes.Length == 0 || bytes.Length > MaxText || IsControl((char)bytes[0])) return null;
            string text = Encoding.UTF8.GetString(bytes);
            bool isBlank = true;
            foreach (char letter in text)
            {
                // What is no UTF-8 becomes this.
                if (letter == '\uFFFD' || IsControl(letter)) return null;
                isBlank &= letter <= ' ';
            }
            return isBlank ? null : text;
        }

        static bool IsControl(char letter)
        {
            return letter < ' ' && letter != '\n' && letter != '\r' && letter != '\t' || letter == 127;
        }

        // Of what is sent of a long text: its beginning and its length.
        internal static long HashOfLong(string text)
        {
            long hash = Hash.Start;
            for (int at = 0; at < MaxText; at++) hash = unchecked((hash ^ text[at]) * 0x100000001B3L);
            return Hash.Join(hash, text.Length);
        }
    }
}

using System.Globalization;
using System.Text;

namespace Substrate.Read
{
    // The length limits of sent texts.
    static class Texts
    {
        internal static string Cut(string text)
        {
            if (text.Length <= Rules.MaxText) return text;
            int end = char.IsHighSurrogate(text[Rules.MaxText - 1]) ? Rules.MaxText - 1 : Rules.MaxText;
            return Cut(text.Substring(0, end), text.Length);
        }

        // The number of characters of a composed text that fit, with the note that there are more.
        internal static int Shown(int length)
        {
            return length <= Rules.MaxText ? length : Rules.MaxText - 32;
        }

        // `beginning` is the start of a text of `length` characters.
        internal static string Cut(string beginning, int length)
        {
            if (beginning.Length >= length) return beginning;
            return beginning + "… [" + length.ToString(CultureInfo.InvariantCulture) + " characters]";
        }

        // The text in the bytes, if it is readable and can be sent as a whole; otherwise null.
        internal static string OfBytes(byte[] bytes)
        {
            if (bytes.Length == 0 || bytes.Length > Rules.MaxText || IsControl((char)bytes[0])) return null;
            string text = Encoding.UTF8.GetString(bytes);
            bool isBlank = true;
            foreach (char character in text)
            {
                // Malformed UTF-8 becomes this character.
                if (character == '\uFFFD' || IsControl(character)) return null;
                isBlank &= character <= ' ';
            }
            return isBlank ? null : text;
        }

        static bool IsControl(char character)
        {
            return character < ' ' && character != '\n' && character != '\r' && character != '\t' || character == 127;
        }

        // A hash of the sent part of a long text: its beginning and its length.
        internal static long HashOfLong(string text)
        {
            long hash = Hash.Start;
            for (int at = 0; at < Rules.MaxText; at++) hash = unchecked((hash ^ text[at]) * 0x100000001B3L);
            return Hash.Join(hash, text.Length);
        }
    }
}

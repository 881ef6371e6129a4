using System;
using System.Collections.Generic;
using System.Text;

namespace Substrate.Forms
{
    /// <summary>
    /// From texts that people read to names that programs use. Gives the same names as those of web pages.
    /// </summary>
    static class Names
    {
        const int MaxName = 40;
        const int MaxWords = 6;
        /// <summary>In the names of fields: what the control is, not what it holds.</summary>
        static readonly HashSet<string> TypeWords = new HashSet<string>((
            "field text textbox label box combo combobox check checkbox button btn area table list listbox tree "
            + "slider pane panel control input editor view bar radio toggle password progress lbl txt tb cb chk cmb "
            + "cbo tbl lst nud num numeric up down rb rdo rad fld m my the scroll menu item choice model lv lvw tv tvw "
            + "dgv dt dtp grid grd tsb tsl tst tsc tsmi ts ss strip tool tab tabs pnl grp gb group lnk link rich rtb "
            + "masked checked picker clb trk track domain ui c ctl ex custom").Split(' '));

        /// <summary>
        /// `Recipient's e-mail *` is `recipients_e_mail`; empty when the text has neither letter nor digit.
        /// </summary>
        internal static string ToName(string text)
        {
            return Join(WordsOf(text));
        }

        static string Join(List<string> words)
        {
            var name = new StringBuilder();
            for (int at = 0; at < words.Count && at < MaxWords; at++)
            {
                string word = words[at];
                string part = name.Length == 0 && word.Length > MaxName ? word.Substring(0, MaxName) : word;
                if (name.Length + part.Length > MaxName) break;
                if (name.Length > 0) name.Append('_');
                name.Append(part);
            }
            if (name.Length > 0 && char.IsDigit(name[0])) name.Insert(0, '_');
            return name.ToString();
        }

        internal static List<string> WordsOf(string text)
        {
            var words = new List<string>();
            if (string.IsNullOrEmpty(text)) return words;
            string plain = WithoutAccents(text.Trim());
            // Only what is written without spaces can be camelCase.
            bool isOneWord = plain.IndexOf(' ') < 0;
            var word = new StringBuilder();
            for (int at = 0; at < plain.Length; at++)
            {
                char letter = plain[at];
                if (letter == '\'' || letter == '\u2019') continue;
                if (!char.IsLetterOrDigit(letter)) End(words, word);
                else
                {
                    if (isOneWord && char.IsUpper(letter) && StartsWord(plain, at)) End(words, word);
                    word.Append(letter);
                }
            }
            End(words, word);
            return words;
        }

        static bool StartsWord(string text, int at)
        {
            if (at == 0) return false;
            char before = text[at - 1];
            if (char.IsLower(before) || char.IsDigit(before)) return true;
            return char.IsUpper(before) && at + 1 < text.Length && char.IsLower(text[at + 1]);
        }

        static void End(List<string> words, StringBuilder word)
        {
            if (word.Length > 0) words.Add(word.ToString().ToLowerInvariant());
            word.Length = 0;
        }

        static string WithoutAccents(string text)
        {
            bool isPlain = true;
            for (int at = 0; at < text.Length && isPlain; at++) isPlain = text[at] < 128;
            if (isPlain) return text;
            try
            {
                string parted = text.Normalize(NormalizationForm.FormKD);
                var result = new StringBuilder();
                foreach (char letter in parted)
                    if (letter < '\u0300' || letter > '\u036f') result.Append(letter);
                return result.ToString().Normalize(NormalizationForm.FormC);
            }
            catch (Exception)
            {
                // Half of a surrogate pair cannot be normalised.
                return text;
            }
        }

        /// <summary>`txtAmount` and `amountField` are `amount`; `textBox1` says nothing.</summary>
        internal static string OfField(string fieldName)
        {
            List<string> words = WordsOf(fieldName);
            while (words.Count > 0 && IsTypeWord(words[words.Count - 1])) words.RemoveAt(words.Count - 1);
            while (words.Count > 0 && IsTypeWord(words[0])) words.RemoveAt(0);
            return Join(words);
        }

        static bool IsTypeWord(string word)
        {
            int end = word.Length;
            while (end > 0 && char.IsDigit(word[end - 1])) end--;
            return end == 0 || TypeWords.Contains(word.Substring(0, end));
        }

        internal static string FirstName(params string[] texts)
        {
            foreach (string text in texts)
            {
                string name = ToName(text);
                if (name.Length > 0) return name;
            }
            return "";
        }

        internal static string Shorten(string text, int limit)
        {
            return text.Length > limit ? text.Substring(0, limit) + "…" : text;
        }
    }
}

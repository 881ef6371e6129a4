using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Act
{
    // The text of an exception. Code of the app may make its message: it is called on the thread of the call, within
    // its time.
    sealed class Thrown
    {
        const int MaxMessage = 4000;
        readonly string type;
        readonly string message;
        readonly string at;

        internal Thrown(Exception exception)
        {
            Exception inner = Unwrapped(exception);
            type = inner.GetType().FullName;
            message = MessageOf(inner);
            at = PlaceOf(inner);
        }

        // `System.InvalidOperationException: no stock`.
        internal string Text
        {
            get { return type + (string.IsNullOrEmpty(message) ? "" : ": " + message); }
        }

        internal Dictionary<string, object> Json
        {
            get { return new Dictionary<string, object> { { "exception", type }, { "message", message }, { "at",
                at } }; }
        }

        // Reflection, tasks and initialisers wrap an exception into another.
        internal static Exception Unwrapped(Exception exception)
        {
            for (int depth = 0; depth < 10; depth++)
            {
                var several = exception as AggregateException;
                bool isWrapper = exception is TargetInvocationException || several != null
                    && several.InnerExceptions.Count == 1;
                if (!isWrapper || exception.InnerException == null) break;
                exception = exception.InnerException;
            }
            return exception;
        }

        static string MessageOf(Exception exception)
        {
            try
            {
                string text = exception.Message;
                return text == null ? null : TypeWords.Cut(text, MaxMessage);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Thrown.MessageOf", discarded);
                return null;
            }
        }

        // The innermost place in code outside the framework.
        static string PlaceOf(Exception exception)
        {
            try
            {
                StackFrame[] frames = new StackTrace(exception, false).GetFrames();
                if (frames == null || frames.Length == 0) return null;
                foreach (StackFrame frame in frames)
                {
                    MethodBase method = frame.GetMethod();
                    if (method != null && method.DeclaringType != null && !Frameworks.Is(method.DeclaringType))
                        return Spoken(method);
                }
                MethodBase innermost = frames[0].GetMethod();
                return innermost == null ? null : Spoken(innermost);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Thrown.PlaceOf", discarded);
                return null;
            }
        }

        // `Shop.Cart.AddItem`; for code that a compiler generated from a method, that method.
        static string Spoken(MethodBase method)
        {
            Type type = method.DeclaringType;
            string name = method.Name;
            while (type != null && type.DeclaringType != null && type.Name.IndexOf('<') >= 0)
            {
                string written = Between(type.Name);
                if (name == "MoveNext" && written != "") name = written;
                type = type.DeclaringType;
            }
            string inside = Between(name);
            return (type == null ? "" : type.FullName + ".") + (inside == "" ? name : inside);
        }

        static string Between(string name)
        {
            int begin = name.IndexOf('<');
            int end = name.IndexOf('>');
            return begin >= 0 && end > begin ? name.Substring(begin + 1, end - begin - 1) : "";
        }
    }
}

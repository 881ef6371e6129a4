using System;
using System.Collections.Generic;
using System.Globalization;
using Substrate.Act;

namespace Substrate.Forms
{
    // The arguments for a control. The daemon has checked everything that does not need the control.
    sealed class UserInput
    {
        readonly Dictionary<string, object> args;

        internal UserInput(Dictionary<string, object> args)
        {
            this.args = args;
        }

        internal object Any(string name)
        {
            object value;
            return args.TryGetValue(name, out value) ? value : null;
        }

        internal string Text(string name) => Words.TextOf(Any(name));

        internal bool Flag(string name) => true.Equals(Any(name));

        internal decimal Number(string name, decimal min, decimal max)
        {
            object value = Any(name);
            if (!(value is long || value is decimal || value is double))
                throw new BadArgument(name + " must be a number");
            try
            {
                decimal number = Convert.ToDecimal(value, CultureInfo.InvariantCulture);
                if (number >= min && number <= max) return number;
            }
            catch (OverflowException)
            {
                // The number is out of any range.
            }
            const string Range = "{0} must be from {1} to {2}";
            throw new BadArgument(string.Format(CultureInfo.InvariantCulture, Range, name, min, max));
        }

        // The index of a row; `name`: the caller's parameter.
        internal int Index(string name, int count)
        {
            if (count == 0) throw new BadArgument(name + ": there are no rows");
            object value = Any("index");
            if (value is long && (long)value >= 0 && (long)value < count) return (int)(long)value;
            throw new BadArgument(name + " must be from 0 to " + (count - 1));
        }

        internal DateTime Date(string name)
        {
            DateTime value;
            const DateTimeStyles AsItIs = DateTimeStyles.RoundtripKind;
            if (DateTime.TryParse(Text(name), CultureInfo.InvariantCulture, AsItIs, out value)) return value;
            throw new BadArgument(name + " must be a date such as 2024-05-31");
        }

        // A value for a control that holds values of this type.
        internal object As(string name, Type type)
        {
            object value = Any(name);
            Type plain = (type == null ? null : Nullable.GetUnderlyingType(type)) ?? type;
            if (plain == null || plain == typeof(object) || value == null) return value;
            if (plain == typeof(string)) return Text(name);
            if (plain == typeof(bool)) return Flag(name);
            if (plain == typeof(DateTime)) return Date(name);
            try
            {
                if (plain.IsEnum) return Enum.Parse(plain, Text(name), true);
                return Convert.ChangeType(value, plain, CultureInfo.InvariantCulture);
            }
            catch (Exception)
            {
                throw new BadArgument(name + " is not a value of " + plain.Name);
            }
        }

        internal static BadArgument Unknown(string value) =>
            new BadArgument("value: there is no \"" + Words.Shorten(value, 100) + "\" to choose");
    }
}

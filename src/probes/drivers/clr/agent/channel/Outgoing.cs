using System;
using System.Collections.Generic;

namespace Substrate.Channels
{
    // A message on its way, in the pieces in which it was made: none is put together first.
    sealed class Outgoing
    {
        readonly IList<ArraySegment<byte>> pieces;
        int piece;
        int offset;

        internal Outgoing(IList<ArraySegment<byte>> pieces, int length)
        {
            this.pieces = pieces;
            Left = length;
        }

        internal int Left { get; private set; }

        // Moves the next bytes there; gives their checksum.
        internal uint MoveTo(AnswerArea area, int length)
        {
            uint sum = 0;
            for (int at = 0; at < length;)
            {
                ArraySegment<byte> from = pieces[piece];
                int count = Math.Min(from.Count - offset, length - at);
                area.Write(from.Array, from.Offset + offset, at, count);
                sum = Crc32.More(sum, from.Array, from.Offset + offset, count);
                at += count;
                offset += count;
                if (offset < from.Count) continue;
                piece++;
                offset = 0;
            }
            Left -= length;
            return sum;
        }
    }
}

namespace Substrate.Channels
{
    // CRC-32 as in zip files, eight bytes at a time: as fast as the bytes can be copied.
    static class Crc32
    {
        const uint Polynomial = 0xedb88320;
        static readonly uint[][] Tables = MakeTables();

        static uint[][] MakeTables()
        {
            var tables = new uint[8][];
            for (int table = 0; table < 8; table++) tables[table] = new uint[256];
            for (uint value = 0; value < 256; value++)
            {
                uint sum = value;
                for (int bit = 0; bit < 8; bit++) sum = (sum & 1) != 0 ? Polynomial ^ (sum >> 1) : sum >> 1;
                tables[0][value] = sum;
            }
            for (int table = 1; table < 8; table++)
                for (int value = 0; value < 256; value++)
                {
                    uint before = tables[table - 1][value];
                    tables[table][value] = (before >> 8) ^ tables[0][before & 255];
                }
            return tables;
        }

        internal static uint Of(byte[] bytes, int start, int length)
        {
            return More(0, bytes, start, length);
        }

        // `before`: the checksum of the preceding bytes.
        internal static uint More(uint before, byte[] bytes, int start, int length)
        {
            uint[] t0 = Tables[0], t1 = Tables[1], t2 = Tables[2], t3 = Tables[3];
            uint[] t4 = Tables[4], t5 = Tables[5], t6 = Tables[6], t7 = Tables[7];
            uint sum = ~before;
            int at = start;
            int end = start + length;
            for (; at + 8 <= end; at += 8)
            {
                uint low = sum ^ Word(bytes, at);
                uint high = Word(bytes, at + 4);
                sum = t7[low & 255] ^ t6[(low >> 8) & 255] ^ t5[(low >> 16) & 255] ^ t4[low >> 24]
                    ^ t3[high & 255] ^ t2[(high >> 8) & 255] ^ t1[(high >> 16) & 255] ^ t0[high >> 24];
            }
            for (; at < end; at++) sum = t0[(sum ^ bytes[at]) & 255] ^ (sum >> 8);
            return ~sum;
        }

        static uint Word(byte[] bytes, int at)
        {
            return (uint)(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24);
        }
    }
}

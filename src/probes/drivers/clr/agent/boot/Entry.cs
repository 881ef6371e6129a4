namespace Substrate
{
    // What .NET Core 3.1 to 7 are told to call: public, static, one text in, one number out.
    public static class Entry
    {
        // `folder`: where the daemon's files are, or empty. 0: the agent starts.
        public static int Run(string folder)
        {
            return Boot.Start(folder) ? 0 : 1;
        }
    }
}

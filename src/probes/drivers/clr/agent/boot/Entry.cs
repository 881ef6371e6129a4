namespace Substrate
{
    // The method that .NET Core 3.1 to 7 call: public, static, one text in, one number out.
    public static class Entry
    {
        // `folder`: where the daemon's files are, or empty. Returns 0 if the agent starts.
        public static int Run(string folder)
        {
            return Boot.Start(folder) ? 0 : 1;
        }
    }
}

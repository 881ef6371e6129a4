/// <summary>Waits for so many ms, prints its number and ends with a code.</summary>
static class Brief {
    static int Main(string[] args) {
        System.Threading.Thread.Sleep(int.Parse(args[0]));
        System.Console.WriteLine("brief " + args[1]);
        return int.Parse(args[2]);
    }
}

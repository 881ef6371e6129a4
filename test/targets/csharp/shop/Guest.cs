namespace Coffee
{
    public enum Status { New, Regular, Vip }

    public sealed class Guest
    {
        public Guest(string name, Status status)
        {
            Name = name;
            Status = status;
        }

        public string Name { get; private set; }
        public Status Status { get; set; }
    }
}

/** Waits for so many ms, prints its number and ends with a code. */
public final class Brief {
    public static void main(String[] args) throws InterruptedException {
        Thread.sleep(Long.parseLong(args[0]));
        System.out.println("brief " + args[1]);
        System.exit(Integer.parseInt(args[2]));
    }
}

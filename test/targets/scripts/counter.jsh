int count = 1
var names = new ArrayList<String>(List.of("Ada"))
int count = 5
String note = "first"
System.out.println("ready")
System.in.read()

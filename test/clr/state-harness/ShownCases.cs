using System;
using System.Collections.Generic;
using Substrate.State;

namespace Harness
{
    static class ShownCases
    {
        sealed class Guest
        {
            public string Name = "g";
            public Shop Shop;
        }

        sealed class Shop
        {
            public List<Guest> Guests = new List<Guest> { new Guest(), new Guest() };
            public Dictionary<string, Guest> ByName = new Dictionary<string, Guest> { { "odd key", new Guest() } };
            public Guest Owner = new Guest();
        }

        static class Registry
        {
            internal static Shop Shop = new Shop();
            internal static int Count = 1;
        }

        public static void HoldersByShape()
        {
            Registry.Count++;
            var shop = new Shop();
            var subject = new Subject(1000).Put("shop", shop).PutStatics(typeof(Registry));
            subject.State();
            int version = subject.Reader.HoldersVersion;
            subject.State();
            Check.Same("version", version, subject.Reader.HoldersVersion);
            var shapes = new List<string>();
            foreach (Holder holder in subject.Reader.Holders) shapes.Add(subject.Named(holder.Shape) + ":" + holder.Type.Name + (holder.IsStatic ? "!" : ""));
            Check.Same("shapes", "shop:Shop Registry:Registry! shop.Owner:Guest Registry.Shop:Shop shop.Guests[*]:Guest "
                + "shop.ByName{*}:Guest Registry.Shop.Owner:Guest Registry.Shop.Guests[*]:Guest Registry.Shop.ByName{*}:Guest",
                string.Join(" ", shapes.ToArray()));
            shop.ByName.Clear();
            subject.State();
            Check.That("a new version", subject.Reader.HoldersVersion > version);
        }

        public static void Paths()
        {
            var shop = new Shop();
            var subject = new Subject(1000).Put("shop", shop).PutStatics(typeof(Registry));
            subject.State();
            Check.Same("root", shop, subject.Reader.Find("shop"));
            Check.Same("element", shop.Guests[1], subject.Reader.Find("shop.Guests[1]"));
            Check.Same("key", shop.ByName["odd key"], subject.Reader.Find("shop.ByName[\"odd key\"]"));
            Check.Same("statics", typeof(Registry), subject.Reader.Find("Registry"));
            Check.Same("below statics", Registry.Shop, subject.Reader.Find("Registry.Shop"));
            foreach (string wrong in new[] { "", "shop.", "shop[", "shop.Guests[5]", "shop.Guests[-1]", "shop.Owner.Name", "no", "shop[\"" })
                Check.Same(wrong, null, subject.Reader.Find(wrong));
        }

        public static void ReturnedValues()
        {
            var shop = new Shop();
            shop.Owner.Shop = shop;
            var subject = new Subject(1000).Put("shop", shop);
            subject.State();
            Check.Same("number", 5L, subject.Flatten(5, 10));
            Check.Same("null", null, subject.Flatten(null, 10));
            Check.Same("text", "t", subject.Flatten("t", 10));
            Check.Same("money", 1.5m, subject.Flatten(1.5m, 10));
            Check.Same("guest", "{\"Name\":\"g\",\"Shop\":\"[ref] shop\"}", Subject.Value(subject.Flatten(shop.Owner, 10)));
            Check.Same("list", "{\"length\":2,\"[0]\":1,\"[1]\":2}", Subject.Value(subject.Flatten(new[] { 1, 2 }, 10)));
            var map = (Dictionary<string, object>)subject.Flatten(shop, 1000);
            Check.Same("itself", "[ref] (the returned value)", map["Owner.Shop"]);
            Check.Same("few", 10, ((Dictionary<string, object>)subject.Flatten(new List<int>(new int[100]), 10)).Count);
        }

        public static void Owners()
        {
            var reader = new Subject(10).Reader;
            Check.That("app", reader.IsOfApp(typeof(Shop)) && reader.IsOfApp(typeof(Shop[])));
            foreach (Type type in new[] { typeof(string), typeof(List<Shop>), typeof(StateReader), typeof(LinkedList<int>), typeof(int) })
                Check.That(type.Name, !reader.IsOfApp(type));
        }
    }
}

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;

namespace Substrate.Read
{
    // Determines once for each type how its objects are read. Not thread safe.
    sealed class Shapes
    {
        const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const int Recent = 1 << 8;
        readonly Containers containers;
        readonly LoadedFields loadedFields = new LoadedFields();
        // Held weakly: a shape holds fields, which would keep unloaded types of the app.
        readonly ConditionalWeakTable<Type, Shape> known = new ConditionalWeakTable<Type, Shape>();
        readonly ConditionalWeakTable<Type, Shape> statics = new ConditionalWeakTable<Type, Shape>();
        readonly Type[] recentTypes = new Type[Recent];
        readonly Shape[] recentShapes = new Shape[Recent];

        internal Shapes()
        {
            containers = new Containers(this);
        }

        internal Shape Of(Type type)
        {
            int place = RuntimeHelpers.GetHashCode(type) & (Recent - 1);
            if (recentTypes[place] == type) return recentShapes[place];
            Shape shape;
            if (!known.TryGetValue(type, out shape))
            {
                Shape made = Create(type);
                loadedFields.Note(type);
                shape = known.GetValue(type, one => made);
            }
            recentTypes[place] = type;
            recentShapes[place] = shape;
            return shape;
        }

        // Holds no object of the app until the next capture.
        internal void ForgetRecent()
        {
            Array.Clear(recentTypes, 0, Recent);
            Array.Clear(recentShapes, 0, Recent);
        }

        // Other assemblies are loaded than before: fields that were left out may be readable now.
        internal void Refresh()
        {
            foreach (Type type in loadedFields.Incomplete())
            {
                known.Remove(type);
                statics.Remove(type);
            }
            ForgetRecent();
        }

        // Null if it is not a known collection.
        internal Container ContainerOf(object target)
        {
            return target == null ? null : Of(target.GetType()).Container;
        }

        // Passes on what a collection or an array holds.
        internal void Each(object target, Shape shape, ITaker taker)
        {
            try
            {
                if (shape.Container != null) shape.Container.Each(target, taker);
            }
            catch (Exception discarded)
            {
                // The collection changed meanwhile: what came before counts.
                Discarded.Count("Shapes.Each", discarded);
            }
        }

        // True for a collection or an array whose first elements are scalars.
        internal bool HoldsOnlyValues(object target, Shape shape)
        {
            var first = new FirstValues(this);
            Each(target, shape, first);
            return first.AreValues;
        }

        sealed class FirstValues : ITaker
        {
            readonly Shapes shapes;
            int left = 16;
            internal bool AreValues = true;

            internal FirstValues(Shapes shapes)
            {
                this.shapes = shapes;
            }

            public bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int at)
            {
                AreValues = (key == null || IsValue(key.Get(keyHolder, at))) && IsValue(value.Get(valueHolder, at));
                return AreValues && --left > 0;
            }

            bool IsValue(object value)
            {
                return value == null || shapes.Of(value.GetType()).Kind == Shape.Scalar;
            }
        }

        // The static fields with state, read like instance fields of the type object.
        internal Shape OfStatics(Type type)
        {
            Shape shape;
            if (statics.TryGetValue(type, out shape)) return shape;
            var slots = new SlotList();
            try
            {
                if (!type.ContainsGenericParameters) foreach (FieldInfo field in loadedFields.Fields(type, Statics))
                    if (!Constants.IsConstant(field) && !SlotNames.IsSingleton(field)) Add(field, slots);
            }
            catch (Exception discarded)
            {
                // Some fields have missing types: those before are shown.
                Discarded.Count("Shapes.OfStatics", discarded);
            }
            shape = Shape.OfParts(new Fields(slots.ToArray()), null);
            shape.IsOfApp = true;
            Shape made = shape;
            loadedFields.Note(type);
            return statics.GetValue(type, one => made);
        }

        Shape Create(Type type)
        {
            try
            {
                if (type == typeof(Record) || type == typeof(KeyedEntry) || type == typeof(Row)) return Shape.Bare;
                if (type.IsPointer || type.ContainsGenericParameters) return Shape.Hidden;
                if (Rules.SecretTypes.Has(SlotNames.OfType(type)))
                    return Shape.OfScalar((value, sink) => Pushes.Secret(value, sink));
                if (type.IsArray) return OfArray(type);
                if (type.IsEnum) return Shape.OfScalar(Scalars.Of(type));
                Shape shape = OfOwner(type);
                if (shape == Shape.Hidden) return shape;
                shape.IsBox = type.IsValueType;
                shape.MayBeProxy = Proxies.MayBe(type);
                return shape;
            }
            catch (Exception discarded)
            {
                // A type in its fields is missing: it cannot be reflected on.
                Discarded.Count("Shapes.Create", discarded);
                return Shape.Hidden;
            }
        }

        Shape OfOwner(Type type)
        {
            switch (Ownership.Of(type))
            {
                case Owner.Framework: return OfFramework(type);
                case Owner.Agent: return Shape.Hidden;
                case Owner.Library: return OfLibrary(type);
                default: return OfApp(type);
            }
        }

        static Shape OfArray(Type type)
        {
            Func<object, Sink, bool> push = Scalars.Of(type);
            if (push != null) return Shape.OfScalar(push);
            if (type.GetElementType().IsPointer) return Shape.Hidden;
            Accessor cell = Accessor.Cell(type);
            if (cell == null) return Shape.Bare;
            Shape shape = Shape.OfParts(Fields.None, new ArrayContainer(Container.List, null, null, cell));
            shape.Cell = cell;
            shape.IsSharedEmpty = true;
            return shape;
        }

        Shape OfFramework(Type type)
        {
            Func<object, Sink, bool> push = Scalars.Of(type);
            if (push != null) return Shape.OfScalar(push);
            Func<object, object> view = Unwraps.ViewOf(type);
            if (view != null) return Shape.OfView(view);
            bool isWrapper = Unwraps.Of(type) != null;
            return !isWrapper && Rules.PlainData.Has(Unwraps.NameOf(type)) ? Plain(type) : OfLibrary(type);
        }

        Shape OfLibrary(Type type)
        {
            Func<object, object> unwrap = Unwraps.Of(type);
            if (unwrap != null) return Shape.OfWrapper(unwrap);
            Container container = Inherited(type);
            if (container == null) return Shape.Hidden;
            Shape shape = Shape.OfParts(Fields.None, container);
            shape.IsSharedEmpty = Rules.SharedEmpties.Has(Unwraps.NameOf(type));
            return shape;
        }

        Shape OfApp(Type type)
        {
            if (Rules.IsMachinery(type)) return Shape.Hidden;
            Container container = Inherited(type);
            Slot[] slots = AppSlots(type, container != null);
            Shape shape = Shape.OfParts(new Fields(slots), container);
            shape.IsOfApp = true;
            shape.IsFlat = container == null && IsFlat(slots);
            return shape;
        }

        Shape Plain(Type type)
        {
            var slots = new List<Slot>();
            foreach (FieldInfo field in type.GetFields(Declared))
                slots.Add(new Slot(field, SlotNames.Bare(field.Name), true));
            Shape shape = Shape.OfParts(new Fields(slots.ToArray()), null);
            shape.IsFlat = IsFlat(shape.Fields.Slots);
            return shape;
        }

        // The reader of the elements that a type of the app has from the collection of the framework that it extends.
        Container Inherited(Type type)
        {
            for (Type at = type; at != null && at != typeof(object); at = at.BaseType)
            {
                if (Ownership.Of(at) != Owner.Framework) continue;
                Container container = containers.Of(at);
                if (container != null) return container;
            }
            return null;
        }

        // Fields of the app's own types, the topmost type first.
        Slot[] AppSlots(Type type, bool isCollection)
        {
            var line = new List<Type>();
            for (Type at = type; at != null; at = at.BaseType) if (Ownership.IsOfApp(at)) line.Insert(0, at);
            var slots = new SlotList();
            if (isCollection)
            {
                slots.Reserve("length");
                slots.Reserve("size");
            }
            if (typeof(Exception).IsAssignableFrom(type)) slots.AddMessage();
            foreach (Type at in line)
                foreach (FieldInfo field in loadedFields.Fields(at, Declared)) Add(field, slots);
            return slots.ToArray();
        }

        void Add(FieldInfo field, SlotList slots)
        {
            if (!Noise.IsNoise(field) && !IsHiddenStruct(field.FieldType)) slots.Add(field, ShowsNull(field.FieldType));
        }

        // The shape of a struct depends on its declared type: a hidden one need not be read each time.
        bool IsHiddenStruct(Type type)
        {
            Type bare = Nullable.GetUnderlyingType(type) ?? type;
            return bare.IsValueType && !bare.IsPrimitive && !bare.IsEnum && !Ownership.IsOfApp(bare)
                && Of(bare).Kind == Shape.Nothing;
        }

        bool IsFlat(Slot[] slots)
        {
            if (slots.Length > Rules.MaxFlat) return false;
            foreach (Slot slot in slots)
            {
                Type type = slot.Field.FieldType;
                Type bare = Nullable.GetUnderlyingType(type) ?? type;
                if (bare.IsPrimitive || bare.IsEnum) continue;
                if (bare.IsArray || Ownership.Of(bare) != Owner.Framework || Of(bare).Kind != Shape.Scalar)
                    return false;
            }
            return true;
        }

        bool ShowsNull(Type type)
        {
            if (type.IsValueType || type.IsArray || type == typeof(object)) return true;
            Owner owner = Ownership.Of(type);
            if (owner != Owner.Framework) return owner == Owner.App;
            if (type.IsInterface) return Rules.DataInterfaces.Has(Unwraps.NameOf(type));
            return Of(type).Kind != Shape.Nothing;
        }
    }
}

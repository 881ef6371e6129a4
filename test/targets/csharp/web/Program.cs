using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace WebShop
{
    public sealed class Line
    {
        public string Sku { get; set; }
        public decimal Price { get; set; }
        public int Count { get; set; } = 1;
    }

    /// <summary>A singleton of the container.</summary>
    public sealed class CartService
    {
        private readonly List<Line> _lines = new List<Line> { new Line { Sku = "tea", Price = 4.5m } };
        private string _apiToken = "tok-7b1f9c2e4d8a";

        public IReadOnlyList<Line> Lines => _lines;
        public string Currency { get; set; } = "EUR";

        public int Add(Line line)
        {
            lock (_lines) _lines.Add(line);
            return _lines.Count;
        }

        public async ValueTask<decimal> TotalAsync(CancellationToken cancel = default)
        {
            await Task.Delay(20, cancel);
            decimal total = 0;
            foreach (Line line in _lines) total += line.Price * line.Count;
            return total;
        }

        public bool Knows(string token) => token == _apiToken;
    }

    /// <summary>Registered, but nobody has asked for it: looking must not make one.</summary>
    public sealed class NeverAsked
    {
        public static int Made;
        public NeverAsked() => Made++;
    }

    public sealed class Ticker : BackgroundService
    {
        public int Ticks { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stop)
        {
            while (!stop.IsCancellationRequested)
            {
                Ticks++;
                await Task.Delay(100, stop);
            }
        }
    }

    /// <summary>Held by nothing but a variable of an asynchronous Main.</summary>
    public sealed class Ledger
    {
        public string Owner { get; set; } = "async Main";
        public int Entries { get; set; } = 3;
    }

    /// <summary>Of a container that was made to set up the other one, and dropped.</summary>
    public sealed class Draft
    {
        public int Pages { get; set; } = 2;
    }

    public static class Program
    {
        static void SetUp()
        {
            IServiceProvider passing = new ServiceCollection().AddSingleton<Draft>().BuildServiceProvider();
            passing.GetRequiredService<Draft>().Pages++;
        }

        public static async Task Main(string[] args)
        {
            SetUp();
            var ledger = new Ledger();
            using IHost host = Host.CreateDefaultBuilder(args)
                .ConfigureLogging(logging => logging.ClearProviders())
                .ConfigureServices(services =>
                {
                    services.AddSingleton<CartService>();
                    services.AddSingleton<NeverAsked>();
                    services.AddHostedService<Ticker>();
                })
                .ConfigureWebHostDefaults(web => web.UseUrls("http://127.0.0.1:0").Configure(Serve))
                .Build();
            await host.StartAsync();
            host.Services.GetRequiredService<CartService>();
            Console.WriteLine("ready");
            await host.WaitForShutdownAsync();
            GC.KeepAlive(ledger);
        }

        static void Serve(IApplicationBuilder app)
        {
            app.UseRouting();
            app.UseEndpoints(routes =>
            {
                routes.MapGet("/cart/{sku}", context => context.Response.WriteAsync("one line"));
                routes.MapMethods("/cart", new[] { "POST", "PUT" }, context => context.Response.WriteAsync("added"));
                routes.Map("/health", context => context.Response.WriteAsync("well"));
            });
            app.Run(Answer);
        }

        static async Task Answer(HttpContext context)
        {
            var cart = context.RequestServices.GetRequiredService<CartService>();
            await context.Response.WriteAsync("total " + await cart.TotalAsync());
        }
    }
}

using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Hosts
{
    /// <summary>Given to the container as it is, not made by it.</summary>
    public sealed class Motto
    {
        public string Text { get; set; } = "two under one roof";
    }

    public sealed class Lodger : IHostedService
    {
        public Motto Motto { get; }
        public bool IsIn { get; private set; }

        public Lodger(Motto motto) => Motto = motto;

        public Task StartAsync(CancellationToken cancel)
        {
            IsIn = true;
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancel)
        {
            IsIn = false;
            return Task.CompletedTask;
        }
    }

    [Route("rooms")]
    public sealed class RoomsController : ControllerBase
    {
        [HttpGet("{number:int}")]
        public string Show(int number) => "room " + number;

        [HttpDelete("{number:int}")]
        public string Leave(int number) => "left " + number;
    }

    /// <summary>A host without a server, and a web host of the older kind. Each `q` stops one of them.</summary>
    public static class Program
    {
        public static async Task Main()
        {
            IHost first = Host.CreateDefaultBuilder()
                .UseEnvironment("Staging")
                .ConfigureLogging(logging => logging.ClearProviders())
                .ConfigureServices(services => services.AddSingleton(new Motto()).AddHostedService<Lodger>())
                .Build();
            await first.StartAsync();
            IWebHost second = WebHost.CreateDefaultBuilder()
                .UseUrls("http://127.0.0.1:0")
                .ConfigureLogging(logging => logging.ClearProviders())
                .ConfigureServices(services => services.AddControllers())
                .Configure(app => app.UseRouting().UseEndpoints(Serve))
                .Build();
            await second.StartAsync();
            Task[] untilTheyStop = { first.WaitForShutdownAsync(), second.WaitForShutdownAsync() };
            Console.WriteLine("ready");
            Console.Read();
            await first.StopAsync();
            first.Dispose();
            Console.Read();
            await second.StopAsync();
            second.Dispose();
            await Task.WhenAll(untilTheyStop);
        }

        static void Serve(IEndpointRouteBuilder routes)
        {
            routes.MapControllers();
            for (int floor = 0; floor < 250; floor++)
                routes.MapGet("/floors/" + floor, context => Task.CompletedTask);
        }
    }
}

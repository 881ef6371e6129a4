/** A client of the daemon like a program: one connection that stays open, the whole body read. */
import http from 'node:http';
import { performance } from 'node:perf_hooks';

export interface Reply {
  readonly body: Buffer;
  /** Until the headers arrived, in ms. */
  readonly firstByteMs: number;
}

export class Client {
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly base: string;
  private readonly key: string;

  constructor(base: string, key: string) {
    this.base = base;
    this.key = key;
  }

  request(route: string): Promise<Reply> {
    const began = performance.now();
    const options = { agent: this.agent, headers: { 'x-substrate-key': this.key } };
    return new Promise((resolve, reject) => {
      const call = http.get(`${this.base}/substrate/v1${route}`, options, (response) => {
        const firstByteMs = performance.now() - began;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const reply = Buffer.concat(chunks);
          if (response.statusCode === 200) resolve({ body: reply, firstByteMs });
          else reject(new Error(`${route}: ${response.statusCode} ${reply.toString().slice(0, 300)}`));
        });
      });
      call.once('error', reject);
    });
  }

  async json<Body>(route: string): Promise<Body> {
    return JSON.parse((await this.request(route)).body.toString()) as Body;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** What the tests use of ssh2. */
declare module 'ssh2' {
  interface Stream {
    write(chunk: Uint8Array): boolean
    end(): void
    exit(code: number): void
    on(event: 'data', listener: (chunk: Uint8Array) => void): this
    on(event: 'end' | 'close', listener: () => void): this
    readonly stderr: { write(chunk: Uint8Array): boolean }
  }
  interface Session {
    on(
      event: 'exec',
      listener: (accept: () => Stream, reject: () => void, info: { readonly command: string }) => void,
    ): this
    on(event: 'env', listener: (accept: (() => void) | undefined) => void): this
  }
  interface Client {
    on(event: 'authentication', listener: (context: { readonly username: string; accept(): void }) => void): this
    on(event: 'session', listener: (accept: () => Session) => void): this
    on(event: 'error', listener: (error: Error) => void): this
  }
  interface ServerInstance {
    listen(port: number, host: string, ready: () => void): void
    address(): { readonly port: number }
    close(done?: () => void): void
  }
  const ssh2: {
    readonly Server: new (
      options: { readonly hostKeys: readonly string[] },
      listener: (client: Client) => void,
    ) => ServerInstance
    readonly utils: { generateKeyPairSync(type: string): { readonly private: string; readonly public: string } }
  }
  export default ssh2
}

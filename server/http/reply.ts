/** An answer that is more than a JSON value: its own status, headers or bytes. Handlers return it in place of a value. */
export class Reply {
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** Each becomes a Set-Cookie header of its own. */
  readonly cookies: readonly string[]
  readonly body: Uint8Array<ArrayBuffer> | string | null
  constructor(init: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly cookies?: readonly string[]
    readonly body: Uint8Array<ArrayBuffer> | string | null
  }) {
    this.status = init.status ?? null
    this.headers = init.headers ?? {}
    this.cookies = init.cookies ?? []
    this.body = init.body
  }

  /** A JSON answer with headers or a status of its own. */
  static json(value: unknown, headers: Readonly<Record<string, string>> = {}, status?: number): Reply {
    return new Reply({
      ...(status === undefined ? {} : { status }),
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(value),
    })
  }
}

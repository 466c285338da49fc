/** Starts the issuer of `issuer-process.ts`, and a browser that keeps cookies and follows redirects by hand. */
import { join } from 'node:path'

export interface IssuerProcess {
  readonly url: string
  /** Tells the issuer where its client may be sent back to, and waits until it answers. */
  readonly register: (redirectUri: string) => Promise<void>
  /** What the issuer says of a person from now on, beside the address and the name. */
  readonly say: (login: string, claims: Readonly<Record<string, unknown>>) => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startIssuer(): Promise<IssuerProcess> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'issuer-process.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let text = ''
  const nextLine = async (): Promise<string> => {
    while (!text.includes('\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the issuer ended')
      text += decoder.decode(value, { stream: true })
    }
    const [line = '', ...rest] = text.split('\n')
    text = rest.join('\n')
    return line
  }
  const tell = async (message: object): Promise<void> => {
    await child.stdin.write(`${JSON.stringify(message)}\n`)
    await child.stdin.flush()
    await nextLine()
  }
  return {
    url: await nextLine(),
    register: (redirectUri) => tell({ redirectUris: [redirectUri] }),
    say: (login, claims) => tell({ login, claims }),
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

/** A browser without scripts: cookies by origin and path, redirects one at a time. */
export class Visitor {
  readonly #jar = new Map<string, { readonly path: string; readonly value: string }>()

  /** The cookies that go along to an address. */
  cookiesFor(url: string): string {
    const { origin, pathname } = new URL(url)
    return [...this.#jar]
      .filter(([key, { path }]) => key.startsWith(`${origin} `) && pathname.startsWith(path))
      .map(([key, { value }]) => `${key.slice(origin.length + 1)}=${value}`)
      .join('; ')
  }

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookies = this.cookiesFor(url)
    if (cookies !== '') headers.set('cookie', cookies)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    const { origin } = new URL(url)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      const ended = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)
      const key = `${origin} ${pair.slice(0, at)}`
      if (ended) this.#jar.delete(key)
      else this.#jar.set(key, { path, value: pair.slice(at + 1) })
    }
    return response
  }

  /** Where an answer leads; fails where it leads nowhere. */
  static next(response: Response, from: string): string {
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${from} answered ${response.status} and leads nowhere`)
    return new URL(location, from).href
  }

  /**
   * Confirms at the issuer that the person signs out there.
   * @param start where the service sent to
   * @returns the address that the issuer sends back to, not visited yet
   */
  async signOutAtIssuer(start: string): Promise<string> {
    const page = await (await this.visit(start)).text()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || xsrf === undefined) throw new Error(`no form: ${page.slice(0, 300)}`)
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    return Visitor.next(await this.visit(new URL(action, start).href, { method: 'POST', body }), start)
  }

  /**
   * Signs in at the issuer as `login` and gives consent, from the address the service sent to.
   * @returns the address at the service that the issuer sends back to, not visited yet
   */
  async passIssuer(start: string, login: string, service: string): Promise<string> {
    let url = start
    for (let step = 0; step < 12; step++) {
      if (url.startsWith(`${service}/`)) return url
      const response = await this.visit(url)
      if (response.headers.get('location') !== null) {
        url = Visitor.next(response, url)
        continue
      }
      const page = await response.text()
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`no form: ${page.slice(0, 300)}`)
      const body = new URLSearchParams({ prompt, login, password: 'x' })
      const sent = await this.visit(new URL(action, url).href, { method: 'POST', body })
      url = Visitor.next(sent, url)
    }
    throw new Error('the issuer never sends back')
  }
}

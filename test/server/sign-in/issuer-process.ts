/**
 * A real OpenID Connect issuer as a process of its own, on loopback. It prints its address, reads from its standard input
 * one line of JSON with the redirect addresses of its client, and prints "ready". Later lines say what is claimed of a person.
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

let answer: RequestListener = (_, response) => {
  response.writeHead(503).end()
}
const server = createServer((request, response) => answer(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.stdout.write(`${issuer}\n`)

const input = process.stdin[Symbol.asyncIterator]()
const { value } = await input.next()
const { redirectUris } = JSON.parse(String(value)) as { redirectUris: string[] }

const said = new Map<string, Readonly<Record<string, unknown>>>()
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'svc',
      client_secret: 'a secret & more',
      redirect_uris: redirectUris,
      post_logout_redirect_uris: redirectUris.map((uri) => new URL('/_app/oidc/signed-out', uri).href),
      backchannel_logout_uri: new URL('/_app/oidc/backchannel-logout', redirectUris[0]).href,
      backchannel_logout_session_required: true,
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'department'] },
  pkce: { required: () => true },
  features: { backchannelLogout: { enabled: true } },
  cookies: { keys: ['of this test alone'] },
  // "ann" has verified her address, "ann-unverified" has not.
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id.replace('-unverified', '')}@example.com`,
      email_verified: !id.endsWith('-unverified'),
      name: `Person ${id}`,
      ...said.get(id),
    }),
  }),
})
answer = provider.callback()
process.stdout.write('ready\n')
// The input ends with the process that started this one, however that ends.
for (let line = await input.next(); line.done !== true; line = await input.next()) {
  const { login, claims } = JSON.parse(String(line.value)) as { login: string; claims: Record<string, unknown> }
  said.set(login, claims)
  process.stdout.write('ready\n')
}
process.exit()

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { certificate, privateKey } from './certificate.ts'

export interface CountingServer {
  readonly port: number
  /** For each request the number of the connection that it came on. */
  readonly requests: readonly number[]
  /** How many connections are open. */
  open(): number
  stop(): void
}

/** A server that counts its connections, and on which one of them each request came. */
export async function startCounting(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('ok'),
  host = '127.0.0.1',
  port = 0,
): Promise<CountingServer> {
  const sockets: Socket[] = []
  const requests: number[] = []
  const server = createServer({ key: privateKey, cert: certificate, keepAliveTimeout: 0 }, (request, response) => {
    requests.push(sockets.indexOf(request.socket))
    request.resume()
    request.on('end', () => answer(request, response))
  })
  server.on('secureConnection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
    open: () => sockets.filter((socket) => !socket.destroyed).length,
  }
}

/** A load generator: keep-alive connections over raw sockets, which cost less than any server they measure. */

export interface Load {
  readonly requestsPerSecond: number
  readonly failures: number
}

const connections = 16

/** Sends GET requests for a while and counts whole answers (by Content-Length). */
export async function load(url: string, path: string, seconds: number, headers = ''): Promise<Load> {
  const { hostname, port } = new URL(url)
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: keep-alive\r\n${headers}\r\n`
  let answers = 0
  let failures = 0
  const deadline = performance.now() + seconds * 1000
  const one = () =>
    new Promise<void>((resolve) => {
      let waiting = 0
      let head = ''
      void Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(request),
          data(socket, chunk) {
            let rest = chunk.byteLength
            if (waiting === 0) {
              head += chunk.toString('latin1')
              const end = head.indexOf('\r\n\r\n')
              if (end < 0) return
              if (!/^HTTP\/1\.1 (200|304)/.test(head)) failures += 1
              const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
              rest = head.length - end - 4
              waiting = length
              head = ''
              if (length === 0) rest = 0
            }
            waiting -= rest
            if (waiting > 0) return
            waiting = 0
            answers += 1
            if (performance.now() < deadline) socket.write(request)
            else socket.end()
          },
          close: () => resolve(),
          error: () => resolve(),
          connectError: () => resolve(),
        },
      })
    })
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, one))
  return { requestsPerSecond: (answers / (performance.now() - begun)) * 1000, failures }
}

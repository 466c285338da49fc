import type { Call, Endpoint } from '../src/api/endpoint.ts'
import type { AnyInput } from '../src/api/wire.ts'

/**
 * Calls as an agent: operations that take `x-svc-via` apply what the organization allows its agents, whatever the credentials.
 * @param call calls with the credentials of the caller
 */
export const asAgent = (call: Call): Call => {
  const calling = (endpoint: Endpoint, input: AnyInput): Promise<unknown> => {
    if (endpoint.headers?.properties['x-svc-via'] === undefined) return call(endpoint, input as never)
    return call(endpoint, { ...input, headers: { ...input.headers, 'x-svc-via': 'mcp' } })
  }
  return calling as Call
}

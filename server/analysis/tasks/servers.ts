import { serverAddresses } from '../../documents/servers.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { renderableOf } from '../renderable.ts'

const mostServers = 100

/** The addresses of the servers that a document names. */
export function run({ kind }: { readonly kind: string }, desk: Desk): string[] {
  const spec = renderableOf(desk.engine, onlyOne(desk), kind)
  return spec === null ? [] : serverAddresses(spec.openapi).slice(0, mostServers)
}

/** An input in the fragment of the address, compressed: the part that browsers never send. */

/** What the page works on. */
export interface Input {
  readonly mode: string
  /** Texts in the order of the mode: base and head, or each file behind its name. */
  readonly texts: readonly string[]
  /** The choice of the mode: a guide, a target. */
  readonly option?: string
}

const prefix = '#1.'

async function through(bytes: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(transform)
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

/** The fragment that holds an input, with its `#`. */
export async function writeAddress(input: Input): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(input))
  const small = await through(plain, new CompressionStream('deflate-raw'))
  let binary = ''
  for (let at = 0; at < small.length; at += 8192) binary += String.fromCharCode(...small.subarray(at, at + 8192))
  return prefix + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const isInput = (value: unknown): value is Input =>
  typeof value === 'object' &&
  value !== null &&
  'mode' in value &&
  typeof value.mode === 'string' &&
  'texts' in value &&
  Array.isArray(value.texts) &&
  value.texts.every((text) => typeof text === 'string') &&
  (!('option' in value) || typeof value.option === 'string')

/** The input of a fragment; null where it holds none. */
export async function readAddress(fragment: string): Promise<Input | null> {
  if (!fragment.startsWith(prefix)) return null
  try {
    const binary = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0))
    const plain = await through(bytes, new DecompressionStream('deflate-raw'))
    const value: unknown = JSON.parse(new TextDecoder().decode(plain))
    return isInput(value) ? value : null
  } catch {
    return null
  }
}

/** Sends a request that a reader composed, from the reader's browser: never with cookies of this service. */
import { originOf, type Request } from './request.ts'

/** So much of an answer is shown. */
const mostCharacters = 200_000
const longestMs = 30_000

export interface TryResponse {
  readonly status: number
  readonly statusText: string
  readonly ms: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  /** How many characters there are in all. */
  readonly length: number
}

/** Why nothing can be sent to an address, or null. */
export const whyNot = (url: string, origins: readonly string[], here: string): string | null => {
  const origin = originOf(url)
  if (origin === null)
    return 'The document names no server with a full address (https://…), so nothing can be sent from here. The code below works once you put the address in.'
  if (!origins.includes(origin))
    return `This page may only call servers that the document names with a full address; ${origin} is not one of them.`
  if (here.startsWith('https:') && origin.startsWith('http:'))
    return `This page was loaded over https, and browsers do not let such a page call ${origin} over plain http. Use the code below in a terminal.`
  return null
}

/** What a browser does not say when it gives no answer to a page. */
export const silenceReasons = (url: string, here: string): readonly string[] => {
  const origin = originOf(url) ?? url
  return [
    `${origin} cannot be reached from your computer: it is down, its name is not known, or its certificate is not trusted.`,
    `${origin} does not allow pages of other sites to read its answers (CORS). It must send the header "Access-Control-Allow-Origin: ${here}", and answer the browser's OPTIONS request with the method and the headers that it allows. Whether the request arrived, the browser does not say.`,
    'The code below has no such limit: run it in a terminal.',
  ]
}

const pretty = (text: string, type: string): string => {
  if (!/[/+]json\b/i.test(type) || text.length > mostCharacters) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * Sends a request.
 * @throws TypeError where the browser gives no answer, and DOMException `TimeoutError` after half a minute
 */
export const send = async ({ method, url, headers, body }: Request): Promise<TryResponse> => {
  const begun = performance.now()
  const response = await fetch(url, {
    method,
    // Browsers set this one themselves.
    headers: headers.filter(([name]) => name !== 'Cookie') as [string, string][],
    body,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'follow',
    signal: AbortSignal.timeout(longestMs),
  })
  const text = pretty(await response.text(), response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - begun),
    headers: [...response.headers],
    text: text.slice(0, mostCharacters),
    length: text.length,
  }
}

/**
 * Tokens of links are in the fragment of their address, which no server and no log ever sees. They are taken out of
 * the address before anything is drawn, and live in the memory of the page until they are used.
 */
const pages = ['/app/claim', '/app/invitation', '/app/reset-password']

let taken: string | null = null

/** Takes the token out of the address, where the page is one that a link with a token leads to. */
export const takeLinkToken = (): void => {
  if (!pages.includes(location.pathname) || location.hash === '') return
  taken = new URLSearchParams(location.hash.slice(1)).get('token')
  history.replaceState(history.state, '', location.pathname)
}

/** The token this page was opened with; null where there was none or it is used up. */
export const linkToken = (): string | null => taken

/** A used token is forgotten: it would only be refused. */
export const forgetLinkToken = (): void => {
  taken = null
}

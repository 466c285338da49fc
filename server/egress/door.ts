/** What other rooms use of egress. */
export { isInside, parseAddress, parseNetworks, type Network } from './address.ts'
export { isFinal, type Fetch } from './fetch.ts'
export { trustedAuthorities } from './authorities.ts'
export { checkUrl, guardedFetch, guardedOpen, type Resolve } from './guard.ts'
export { KeptConnections, type Head } from './kept.ts'
export { guardedResponse, providerRequests } from './provider-requests.ts'
export { openEgressProxy, type EgressProxy } from './proxy.ts'
export { FetchFailed } from './refused.ts'

/** What other rooms use of mcp servers. */
export { findEndpoint, type EndpointRow } from './record.ts'
export { knownBeside, surfaceToCheck } from './surfaces.ts'
export { endpointsToApprove, type EndpointToApprove } from './to-approve.ts'

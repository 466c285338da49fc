/** What other rooms use of gateway. */
export { gatewayImpacts, type GatewayImpact } from './impact.ts'

/** What the rest of the program uses of the gateways that enforce policies. */
export { type NotEnforced, type Setting, settingStates } from './compile/model.ts'
export { type DialectName, dialectNames, dialectOf, dialects } from './dialects/index.ts'
export { type EngineKind, engineKinds, engineOfKind, engines, usualEngine } from './engines/index.ts'
export { gatewayStates, silentMs } from './gateway-state.ts'
export { type ReleaseInputs, releaseTriggers } from './release/cause.ts'
export type { FileDifference } from './release/difference.ts'

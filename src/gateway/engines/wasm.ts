import { corazaWasm } from '../dialects/coraza-wasm.ts'
import { defineEngine } from './engine.ts'

export const wasm = defineEngine({
  kind: 'coraza-wasm',
  name: 'wasm',
  title: 'Envoy or Traefik with Coraza (WASM)',
  note: 'Without request bodies by schema.',
  dialect: corazaWasm,
  needsReload: true,
})

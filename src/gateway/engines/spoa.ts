import { coraza } from '../dialects/coraza.ts'
import { defineEngine } from './engine.ts'

export const spoa = defineEngine({
  kind: 'coraza-spoa',
  name: 'spoa',
  title: 'HAProxy with Coraza',
  note: 'Everything of a policy, with request bodies by schema.',
  dialect: coraza,
  reload: 'systemctl reload coraza-spoa',
})

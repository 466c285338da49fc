/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { ConsumerPage } from './consumer-page.tsx'
export { ConsumersPage } from './consumers-page.tsx'
export { ContractView } from './contract-view.tsx'
export { DeclareView } from './declare-view.tsx'
export { ImpactView } from './impact-view.tsx'
export { RevisionsView } from './revisions-view.tsx'

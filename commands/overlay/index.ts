import { group } from '../../cli/declare.ts'

export default group({ summary: 'Apply, check, make and compare overlays (Overlay Specification 1.0 and 1.1)' })

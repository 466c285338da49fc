// Azure's own validator removes what Spectral does not know from its rules before it runs them.
const azure = require('azure-rulesets-2.1')
azure.deleteRulesPropertiesInPayloadNotValidForSpectralRules(azure.spectralRulesets.azCommon)
module.exports = azure.spectralRulesets.azCommon

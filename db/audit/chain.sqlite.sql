create trigger "audit_chain_kept_on_update" before update on "audit_events"
when old."environment_id" is not null or new."environment_id" is not null
begin
  select raise(abort, 'rows of the audit trail are never changed');
end;
create trigger "audit_chain_kept_on_delete" before delete on "audit_events" when old."environment_id" is not null begin
  select raise(abort, 'rows of the audit trail are never removed');
end;

create trigger "security_audit_kept_on_update" before update on "security_audit" begin
  select raise(abort, 'rows of the audit trail are never changed');
end;
create trigger "security_audit_kept_on_delete" before delete on "security_audit" begin
  select raise(abort, 'rows of the audit trail are never removed');
end;

-- A run store of version 1, as that version wrote it: 2 epochs of an MLP on 2 ranks.
PRAGMA application_id = 1131376227;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE controls (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    requested_ms INTEGER NOT NULL,
    verb TEXT NOT NULL,
    seen_ms INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE decisions (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    level INTEGER NOT NULL,
    reason TEXT NOT NULL,
    norm REAL,
    previous_norm REAL,
    norm_epoch INTEGER NOT NULL,
    previous_epoch INTEGER NOT NULL,
    ratio REAL,
    eta REAL,
    nan_columns INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
INSERT INTO "decisions" VALUES(1,0,0,0,'initial',NULL,NULL,-1,-1,NULL,NULL,0,1);
INSERT INTO "decisions" VALUES(1,0,2,0,'initial',NULL,NULL,-1,-1,NULL,NULL,0,2);
CREATE TABLE epochs (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    train_loss REAL,
    test_loss REAL,
    test_accuracy REAL,
    learning_rate REAL,
    train_seconds REAL,
    epoch_seconds REAL,
    steps INTEGER NOT NULL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    dense_fp32_payload_bytes REAL,
    decision_wire_bytes REAL,
    control_wire_bytes REAL,
    metric_wire_bytes REAL,
    buffer_wire_bytes REAL,
    weights_hash TEXT NOT NULL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, epoch)
) STRICT, WITHOUT ROWID;
INSERT INTO "epochs" VALUES(1,0,2.28491005301475524902e+00,2.13890862464904785156e+00,0.31,0.05,0.077462082,0.077462082,4,20640.0,20640.0,101920.0,101920.0,32.0,64.0,104.0,25480.0,'2d536828a3a9836a5cf3209553f066f7688497aac06b20b2c253fd17f130c0b6',0);
INSERT INTO "epochs" VALUES(1,1,2.01048494875431060791e+00,1.86494910717010498046e+00,0.32,0.05,0.111132328,0.033670246,4,20640.0,20640.0,101920.0,101920.0,0.0,64.0,104.0,0.0,'4048afa3412236bec29f36bc859ed6258b3ca2a040a160d4e8e2a4d80d3eec89',0);
CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    nan_columns INTEGER NOT NULL,
    sequence INTEGER PRIMARY KEY
) STRICT;
INSERT INTO "events" VALUES(1,1796074718223,-1,-1,0,-1,'finished','',0,1);
CREATE TABLE layer_epochs (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    norm REAL,
    level INTEGER NOT NULL,
    effective_level TEXT NOT NULL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    strongest_wire_bytes REAL,
    mildest_wire_bytes REAL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, epoch, layer)
) STRICT, WITHOUT ROWID;
INSERT INTO "layer_epochs" VALUES(1,0,0,3.86214196903385298398e+00,0,'ratio 0.1 (k 628)',20096.0,20096.0,100352.0,224.0,20096.0,0);
INSERT INTO "layer_epochs" VALUES(1,0,1,0.102751988919998,-1,'dense',128.0,128.0,128.0,128.0,128.0,0);
INSERT INTO "layer_epochs" VALUES(1,0,2,7.28369807459570250962e-01,0,'ratio 0.1 (k 8)',256.0,256.0,1280.0,32.0,256.0,0);
INSERT INTO "layer_epochs" VALUES(1,0,3,3.67685893234001914819e-01,-1,'dense',160.0,160.0,160.0,160.0,160.0,0);
INSERT INTO "layer_epochs" VALUES(1,1,0,3.77891010428941775955e+00,0,'ratio 0.1 (k 628)',20096.0,20096.0,100352.0,224.0,20096.0,0);
INSERT INTO "layer_epochs" VALUES(1,1,1,1.24362260716861169895e-01,-1,'dense',128.0,128.0,128.0,128.0,128.0,0);
INSERT INTO "layer_epochs" VALUES(1,1,2,2.19128798888125242427e+00,0,'ratio 0.1 (k 8)',256.0,256.0,1280.0,32.0,256.0,0);
INSERT INTO "layer_epochs" VALUES(1,1,3,3.76267985589436970705e-01,-1,'dense',160.0,160.0,160.0,160.0,160.0,0);
CREATE TABLE layers (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    layer INTEGER NOT NULL,
    name TEXT NOT NULL,
    shape TEXT NOT NULL,
    compressible INTEGER NOT NULL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, layer)
) STRICT, WITHOUT ROWID;
INSERT INTO "layers" VALUES(1,0,'fc1.weight','8x784',1,0);
INSERT INTO "layers" VALUES(1,1,'fc1.bias','8',0,0);
INSERT INTO "layers" VALUES(1,2,'fc2.weight','10x8',1,0);
INSERT INTO "layers" VALUES(1,3,'fc2.bias','10',0,0);
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    spec_json TEXT NOT NULL,
    spec_hash TEXT NOT NULL,
    seed INTEGER NOT NULL,
    study TEXT NOT NULL,
    variant TEXT NOT NULL,
    compressor TEXT NOT NULL,
    policy TEXT NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    ranks INTEGER NOT NULL,
    device TEXT NOT NULL,
    backend TEXT NOT NULL,
    epochs_planned INTEGER NOT NULL,
    steps_per_epoch INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    heartbeat_ms INTEGER NOT NULL,
    supervisor_pid INTEGER NOT NULL,
    supervisor_start_ticks INTEGER NOT NULL,
    supervisor_boot_id TEXT NOT NULL,
    supervisor_host TEXT NOT NULL,
    weights_hash TEXT NOT NULL,
    exit_code INTEGER,
    log_file TEXT NOT NULL,
    epochs_done INTEGER NOT NULL,
    steps_done INTEGER NOT NULL,
    test_accuracy REAL,
    test_loss REAL,
    train_seconds REAL,
    payload_bytes REAL,
    wire_bytes REAL,
    dense_fp32_wire_bytes REAL,
    dense_fp32_payload_bytes REAL,
    decision_wire_bytes REAL,
    mild_share REAL,
    dropped_points INTEGER NOT NULL,
    nan_columns INTEGER NOT NULL
) STRICT;
INSERT INTO "runs" VALUES(1,'mx3sigu4ldyg','golden','done','','{"compress":{"error_feedback":true,"levels":[{"ratio":0.1},{"ratio":0.001}],"name":"topk"},"data":{"name":"fashion-mnist","path":"/usr/share/datasets/fashion-mnist","test_samples":100,"train_samples":256},"model":{"hidden":[8],"name":"mlp"},"name":"golden","policy":{"eta":0.5,"interval_epochs":1,"name":"accordion","norm":"rank0-local"},"ranks":{"backend":"auto","count":2,"device":"auto","threads_per_rank":0},"seed":1,"train":{"batch_per_rank":32,"epochs":2,"eval_every_epochs":1,"lr":0.05,"lr_decay_epochs":[],"lr_decay_factor":0.1,"momentum":0.9,"nesterov":false,"on_non_finite":"stop","weight_decay":0.0001}}','d36a39841b010493',1,'','','topk','accordion','mlp','fashion-mnist',2,'cpu','gloo',2,4,1796074716611,1796074716630,1796074718603,1796074717639,23360,1342943,'00000000-0000-0000-0000-000000000000','host','4048afa3412236bec29f36bc859ed6258b3ca2a040a160d4e8e2a4d80d3eec89',0,'',2,8,0.32,1.86494910717010498046e+00,0.111132328,41280.0,41280.0,203840.0,203840.0,32.0,1.0,0,0);
CREATE TABLE steps (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    loss REAL,
    train_seconds REAL,
    nan_columns INTEGER NOT NULL,
    PRIMARY KEY (run, step)
) STRICT, WITHOUT ROWID;
INSERT INTO "steps" VALUES(1,0,0,2.35505247116088867187e+00,0.030957059,0);
INSERT INTO "steps" VALUES(1,1,0,2.28134751319885253906e+00,0.05747323,0);
INSERT INTO "steps" VALUES(1,2,0,2.24744462966918945312e+00,0.065863744,0);
INSERT INTO "steps" VALUES(1,3,0,2.24030232429504394531e+00,0.077440081,0);
INSERT INTO "steps" VALUES(1,4,1,2.16612267494201660156e+00,0.089790279,0);
INSERT INTO "steps" VALUES(1,5,1,1.9850063323974609375e+00,9.9549929000000009216e-02,0);
INSERT INTO "steps" VALUES(1,6,1,1.94667637348175048828e+00,0.10831217,0);
INSERT INTO "steps" VALUES(1,7,1,1.73619091510772705078e+00,0.11112257,0);
CREATE INDEX runs_by_name ON runs (name);
CREATE INDEX runs_by_age ON runs (created_ms);
CREATE INDEX decisions_by_run ON decisions (run, epoch);
CREATE INDEX events_by_run ON events (run);
CREATE INDEX controls_by_run ON controls (run, seen_ms);
COMMIT;
